-- Counters move in the statement that moves the code, whoever writes it. A block is seq >> 7 and seq >> 14.
-- New codes are counted by the statement that inserts their batch (src/db/create-batch.ts).
CREATE TRIGGER `purchase_codes_recount` AFTER UPDATE ON `purchase_codes`
WHEN OLD.facet IS NOT NEW.facet OR OLD.external_reference_id IS NOT NEW.external_reference_id
BEGIN
	UPDATE code_counts SET n = n - 1
		WHERE partner_id = OLD.partner_id AND reference = '' AND facet = OLD.facet
			AND (level, block) IN (VALUES (7, OLD.seq >> 7), (14, OLD.seq >> 14));
	INSERT INTO code_counts (partner_id, reference, facet, level, block, n)
		VALUES (NEW.partner_id, '', NEW.facet, 7, NEW.seq >> 7, 1), (NEW.partner_id, '', NEW.facet, 14, NEW.seq >> 14, 1)
		ON CONFLICT DO UPDATE SET n = n + 1;
	UPDATE code_counts SET n = n - 1
		WHERE partner_id = OLD.partner_id AND reference = OLD.external_reference_id AND facet = OLD.facet
			AND (level, block) IN (VALUES (7, OLD.seq >> 7), (14, OLD.seq >> 14));
	DELETE FROM code_counts
		WHERE partner_id = OLD.partner_id AND reference = OLD.external_reference_id AND facet = OLD.facet
			AND level IN (7, 14) AND block IN (OLD.seq >> 7, OLD.seq >> 14) AND n = 0;
	INSERT INTO code_counts (partner_id, reference, facet, level, block, n)
		SELECT NEW.partner_id, NEW.external_reference_id, NEW.facet, column1, column2, 1
		FROM (VALUES (7, NEW.seq >> 7), (14, NEW.seq >> 14))
		WHERE NEW.external_reference_id IS NOT NULL
		ON CONFLICT DO UPDATE SET n = n + 1;
END;
