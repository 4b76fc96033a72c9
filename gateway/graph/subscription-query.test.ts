import { expect, test } from "@jest/globals";
import { buildSchema, parse, validate } from "graphql";
import { emailVariable, type SubscriptionRequest, subscriptionOf } from "./subscription-query.ts";

const schema = buildSchema(`
  type Query { email(id: ID!): Email }
  type Mutation { remove: Int }
  type Subscription { emailArrived(bindingId: ID!): Email deliveryChanged(emailId: ID!): Email }
  type Email { id: ID! subject(first: Int = 5): String attachments: [Email!]! }
`);
const bounds = { depth: 5, cost: 100, aliases: 2 };
const read = (request: SubscriptionRequest) => subscriptionOf(schema, request, bounds);

test("what is selected is asked of the email, with the variables and fragments that it needs", () => {
  const query = `
    query Other { email(id: 1) { ...Unused } } fragment Unused on Email { id }
    subscription Mine($binding: ID!, $first: Int) {
      mail: emailArrived(bindingId: $binding) { id ...Rest }
    }
    fragment Rest on Email { subject(first: $first) }`;
  const variables = { binding: "b", first: 3 };
  const found = read({ query, variables, operationName: "Mine" });
  expect(found).toMatchObject({ field: "emailArrived", id: "b", variables });
  expect(validate(schema, parse(found.query))).toEqual([]);
  expect(found.query).toContain(`mail: email(id: $${emailVariable})`);
  expect(found.query).not.toContain("$binding");
});

test("an id may stand in the document itself", () => {
  expect(read({ query: 'subscription { deliveryChanged(emailId: "e") { id } }' })).toMatchObject({
    field: "deliveryChanged",
    id: "e",
  });
});

const deep = "attachments { ".repeat(6);
test.each([
  ["nothing", undefined],
  ["no document", "subscription {"],
  ["a query", "{ email(id: 1) { id } }"],
  ["a mutation", "mutation { remove }"],
  ["a field that is not there", 'subscription { emailArrived(bindingId: "b") { secret } }'],
  ["an argument that is missing", "subscription { emailArrived { id } }"],
  ["a variable without a value", "subscription ($b: ID!) { emailArrived(bindingId: $b) { id } }"],
  ["two fields", 'subscription { emailArrived(bindingId: "b") { id } deliveryChanged(emailId: "e") { id } }'],
  [
    "a fragment in its place",
    'subscription { ...F } fragment F on Subscription { emailArrived(bindingId: "b") { id } }',
  ],
  ["too deep a query", `subscription { emailArrived(bindingId: "b") { ${deep} id ${"}".repeat(6)} } }`],
  ["too many aliases", 'subscription { emailArrived(bindingId: "b") { a: id b: id } }'],
  ["too many words", `subscription { emailArrived(bindingId: "b") { ${"id ".repeat(1_000)} } }`],
])("%s is refused", (_name, query) => {
  expect(() => read({ query })).toThrow(expect.objectContaining({ kind: "ValidationFailed" }));
});
