const { URL: service, KEY } = process.env;

const query = new URLSearchParams({ p_code: process.argv[2] });
const answer = await fetch(`${service}/api/partners/v1/status?${query}`, { headers: { "x-gw": KEY } });
const { success, error, data } = await answer.json();
if (!success) throw new Error(error);
console.log(data.status);
