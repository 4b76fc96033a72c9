/** rest answers over HTTP alone, under /api/v1, /verify, /openapi.json and /docs. */
export const restContract = { service: "rest", procedures: {} } as const;
