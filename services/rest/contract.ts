/** rest answers over HTTP alone, on the paths that the gateway hands to it (gateway/public-router.ts). */
export const restContract = { service: "rest", procedures: {} } as const;

/** Where the gateway says which address a request came from. */
export const clientAddressHeader = "x-postern-client-address";
