import { useLocalService } from "../support/local-service.ts";

/** The one service of guide.test.ts: to start one takes as long as most of its tests. */
export const service = useLocalService();
