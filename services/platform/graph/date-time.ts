import { GraphQLScalarType } from "graphql";

/** ISO 8601 in UTC. Services carry times as such strings already, so there is nothing to convert. */
export const dateTime = new GraphQLScalarType<string, string>({
  name: "DateTime",
  serialize: (value) => (value instanceof Date ? value.toISOString() : String(value)),
});
