/** What the document begins with. */
export const apiDescription = `Proxy email addresses: give them out, read what came, be called back.

1. \`POST /api/v1/auth\` exchanges credentials for a bearer token.
2. \`GET /api/v1/api-token\` exchanges that for an API token.
3. Every other request carries the API token in the \`Token\` header. A bearer token in \`Authorization\` works as well.

Every error has one shape. \`exception\` is a stable name to match on, \`message\` is for a person, \`id\` is found again in
the logs, \`file\` is the service that raised it, \`line\` is 0. A path that is known answers 405 to another method, with \`Allow\`;
HEAD is taken wherever GET is. Times are in UTC. Members that are not described here are ignored.`;

export const tagDescriptions = {
  Authentication: "From credentials to an API token; who they stand for",
  "Proxy bindings": "Addresses to give out, where they lead, and what else happens to their mail",
  "Received emails": "What came to browsable proxy bindings",
  "Webhook recorder": "See what a callback looks like",
  "Password managers":
    "What programs call that were written for SimpleLogin or addy.io: the same requests and responses, and errors that have `error` and `message` as well. The key stands in `Authentication`, or where the contract has it",
  "Other programs": "What programs of the same contract call beside its endpoints",
  Postern:
    'What is Postern\'s own, beside the contract of /api/v1: plain JSON, answers as `{"data": …}`, lists with `next` where there is more',
} as const;

/** The variable parts of paths. */
export const pathDescriptions: Readonly<Record<string, string>> = {
  id: "The id of a proxy binding",
  proxyBindingId: "The id of a proxy binding",
  receivedEmailId: "The id of a received email",
  hash: "The id of a recorder: 32 hexadecimal digits",
  emailId: "The id of a received email",
  number: "The number of a proxy binding, as GET /api/v2/aliases gives it",
  index: "Which of the email's attachments, counted from 0",
};
