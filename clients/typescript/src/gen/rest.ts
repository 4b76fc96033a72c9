// Made by `npm run clients` from /openapi.json; not to be edited.

export interface SignIn {
  data: {
    /** Needed nowhere; where it is given, the path's */
    id?: string | undefined;
    type: "auth-request";
    attributes: {
      username: string;
      password: string;
    };
  };
}

export interface SecondFactor {
  data: {
    /** Needed nowhere; where it is given, the path's */
    id?: string | undefined;
    type: "second-factor";
    attributes: {
      code: string;
    };
  };
}

export interface ProxyBindingCreation {
  data: {
    /** Needed nowhere; where it is given, the path's */
    id?: string | undefined;
    type: "proxy_bindings";
    attributes: {
      /** At most 10; absent or empty: one on the reserved internal domain is made up */
      real_addresses?: string[] | null | undefined;
      /** Absent, null or empty: one is made up */
      proxy_address?: string | null | undefined;
      /** Called on each new email; null or empty for none. Not a loopback, private or otherwise special address */
      callback_url?: string | null | undefined;
      is_browsable?: boolean | "true" | "false" | 1 | 0 | null | undefined;
      /** Free text, at most 10,000 characters */
      description?: string | null | undefined;
    };
  };
}

export interface ProxyBindingChange {
  data: {
    /** Needed nowhere; where it is given, the path's */
    id?: string | undefined;
    type: "proxy_bindings";
    attributes: {
      /** The whole new set, and whether each is enabled; from 1 to 10 */
      real_addresses?: string[] | Record<string, boolean | {
        is_enabled: boolean;
      }> | null | undefined;
      /** Must be the one that it has */
      proxy_address?: string | undefined;
      /** Free text, at most 10,000 characters */
      description?: string | null | undefined;
      /** Called on each new email; null or empty for none. Not a loopback, private or otherwise special address */
      callback_url?: string | null | undefined;
      is_browsable?: boolean | "true" | "false" | 1 | 0 | null | undefined;
      /** Added to the real addresses */
      new_real_address?: string | null | undefined;
      /** true: where the binding's domain is one's own, mail to its other addresses leads where the binding does (a pattern `*`, if there is none) */
      wildcard_auto_create?: boolean | "true" | "false" | 1 | 0 | null | undefined;
      /** Read-only: accepted and ignored */
      received_emails?: unknown | undefined;
    };
  };
}

export interface PutAddress {
  /** Empty if absent */
  description?: string | null | undefined;
  /** None if absent */
  callbackUrl?: string | null | undefined;
  /** The name in From of answers */
  displayName?: string | null | undefined;
  isBrowsable?: boolean | null | undefined;
  answers?: boolean | null | undefined;
  answersStrangers?: boolean | null | undefined;
  sendsEncrypted?: boolean | null | undefined;
  /** The whole set. Absent: as they are; of a new address one that leads nowhere */
  realAddresses?: {
    address: string;
    isEnabled?: boolean | null | undefined;
  }[] | null | undefined;
}

export interface Pattern {
  /** On the part before the @: * any characters, ? one, {a,b} one of several; * alone is a catch-all */
  glob: string;
  /** Verified real addresses of yours; none: the mail is kept for reading */
  targets?: string[] | undefined;
  /** False: what it takes is refused */
  creates?: boolean | undefined;
  /** New addresses of the domain within an hour at most */
  perHour?: number | undefined;
}

export interface PutRule {
  /** The proxy address that it is for alone, by its id or by itself */
  binding?: string | null | undefined;
  /** The domain that it is for alone, by its id or by itself; with neither it is for all mail */
  domain?: string | null | undefined;
  /** Among the rules with the same scope, from 0. Absent: a new one is the last, one that is there stays where it is */
  position?: number | null | undefined;
  /** Empty if absent */
  name?: string | null | undefined;
  /** Each has to hold; none: every message */
  conditions?: {
    senders?: string[] | undefined;
    clientNetworks?: string[] | undefined;
    tags?: string[] | undefined;
    from?: string[] | undefined;
    dmarc?: ("pass" | "fail" | "none" | "unknown")[] | undefined;
    dkim?: ("pass" | "fail" | "none" | "unknown")[] | undefined;
    subjectContains?: string[] | undefined;
    listIds?: string[] | undefined;
    largerThan?: number | undefined;
    smallerThan?: number | undefined;
  } | null | undefined;
  /** None: the message is delivered as usual */
  actions?: {
    refuse?: boolean | undefined;
    discard?: boolean | undefined;
    tagSubject?: string | undefined;
    forwardTo?: string[] | undefined;
    callbackOnly?: boolean | undefined;
    keepOnly?: boolean | undefined;
    limitPerHour?: number | undefined;
  } | null | undefined;
  /** Never if absent */
  expiresAt?: string | null | undefined;
}

export interface PutApiKey {
  scopes: ("alias:create" | "alias:read" | "alias:write" | "mail:read" | "mail:send" | "admin")[];
  /** What it makes and changes is on this domain; any if absent */
  domain?: string | null | undefined;
  /** What it makes and changes leads to these, by id or address; anywhere if absent */
  targetIds?: string[] | null | undefined;
  /** ISO 8601; never if absent */
  expiresAt?: string | null | undefined;
}

export interface NextEmailQuestion {
  /** The id of a browsable proxy binding */
  binding?: string | null | undefined;
  /** Or its proxy address; with a tag, mail to that tag alone */
  recipient?: string | null | undefined;
  /** What the envelope sender or From holds */
  from?: string | null | undefined;
  /** What the subject holds */
  subject?: string | null | undefined;
  since?: string | null | undefined;
  /** The same one gets the same email again */
  waiter?: string | null | undefined;
  /** Default true: nobody else gets it */
  take?: boolean | null | undefined;
  /** Default 30 */
  waitS?: number | null | undefined;
}

export interface NewMessage {
  /** A proxy address of yours */
  from: string;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  subject?: string | undefined;
  text?: string | null | undefined;
  html?: string | null | undefined;
  attachments?: {
    filename: string;
    mime?: string | null | undefined;
    content: string;
  }[] | undefined;
}

export interface NewImport {
  source: "simplelogin" | "simplelogin-api" | "addy" | "relay" | "postern";
  /** For all but simplelogin-api: what the file holds */
  content?: string | null | undefined;
  /** For simplelogin-api: where SimpleLogin is */
  baseUrl?: string | null | undefined;
  /** For simplelogin-api: an API key of it, forgotten once its list was read */
  key?: string | null | undefined;
}

export interface NewContact {
  data: {
    /** Needed nowhere; where it is given, the path's */
    id?: string | undefined;
    type: "proxy_binding_contacts";
    attributes: {
      recipient_email: string;
      description?: string | null | undefined;
    };
    relationships: {
      proxy_binding: {
        data: {
          type: "proxy_bindings";
          id: string;
        };
      };
    };
  };
}

export interface Token {
  data: {
    type: "oauth-access-tokens";
    id: string;
    attributes: {
      token: string;
      expires_at: Timestamp;
      /** 1 once a second factor was given */
      "2fa_granted": 0 | 1;
      /** The account's first sign-in */
      isNewAcc: boolean;
    };
    relationships: {
      user: {
        data: {
          type: "users";
          id: string;
        };
      };
    };
  };
}

export type Timestamp = string;

export interface Error {
  data: {
    /** Unique, and found again in the logs and the trace */
    id: string;
    type: "errors";
    attributes: {
      /** For a person */
      message: string;
      /** The stable kind of the error, for a program */
      exception: string;
      /** The service that raised it */
      file: string;
      line: 0;
    };
  };
}

export interface ApiToken {
  /** For the Token header */
  token: string;
}

export interface User {
  meta: {
    plan: {
      /** Always true: there is one plan, and it has everything */
      isPaid: boolean;
    };
  };
  data: {
    type: "users";
    id: string;
    attributes: {
      username: string;
      /** The username, where that is an email address; otherwise null */
      email: string | null;
      "2fa_enabled": boolean;
      /** Signs callbacks as Standard Webhooks; not shown to an API key */
      webhook_secret?: string | undefined;
    };
  };
}

export interface ProxyBindingList {
  meta: {
    usedProxyBindings: number;
    /** The limit in all, not what is left */
    availableProxyBindings: number;
    /** Never true in the list */
    isVerificationEmailSend: boolean;
  };
  data: {
    type: "proxy_bindings";
    id: string;
    attributes: {
      /** By email address */
      real_addresses: Record<string, {
        is_enabled: boolean;
        /** Proved by the link that was sent to it */
        is_verified: boolean;
        is_verification_needed: boolean;
      }>;
      proxy_address: string;
      received_emails: number;
      description: string;
      /** Empty when unset */
      callback_url: string;
      /** 0 made by its owner, 1 made by the service */
      type: 0 | 1;
      is_browsable: boolean;
      created_at: Timestamp;
      updated_at: Timestamp;
    };
    relationships: {
      user: {
        data: {
          type: "users";
          id: string;
        };
      };
    };
  }[];
}

export interface ProxyBinding {
  meta: {
    /** This very call sent a link */
    isVerificationEmailSend: boolean;
    /** This call made the account's first binding */
    firstProxyBinding: boolean;
  };
  data: {
    type: "proxy_bindings";
    id: string;
    attributes: {
      /** By email address */
      real_addresses: Record<string, {
        is_enabled: boolean;
        /** Proved by the link that was sent to it */
        is_verified: boolean;
      }>;
      proxy_address: string;
      received_emails: number;
      description: string;
      /** Empty when unset */
      callback_url: string;
      /** 0 made by its owner, 1 made by the service */
      type: 0 | 1;
      is_browsable: boolean;
      created_at: Timestamp;
      updated_at: Timestamp;
    };
    relationships: {
      user: {
        data: {
          type: "users";
          id: string;
        };
      };
    };
  };
}

export interface ListedProxyBinding {
  data: {
    type: "proxy_bindings";
    id: string;
    attributes: {
      /** By email address */
      real_addresses: Record<string, {
        is_enabled: boolean;
        /** Proved by the link that was sent to it */
        is_verified: boolean;
        is_verification_needed: boolean;
      }>;
      proxy_address: string;
      received_emails: number;
      description: string;
      /** Empty when unset */
      callback_url: string;
      /** 0 made by its owner, 1 made by the service */
      type: 0 | 1;
      is_browsable: boolean;
      created_at: Timestamp;
      updated_at: Timestamp;
    };
    relationships: {
      user: {
        data: {
          type: "users";
          id: string;
        };
      };
    };
  };
}

export interface ReceivedEmailLinks {
  data: {
    type: "received_emails_link";
    id: string;
    attributes: {
      recipient_email: string;
      sender_email: string;
      subject: string;
      attachmentsCounter: number;
      /** Relative; called with the same headers it gives the details */
      link: string;
      /** Every forward and the callback of it reached their end */
      is_processed: boolean;
      created_at: Timestamp;
      updated_at: Timestamp;
    };
  }[];
  /** Where a page was asked for */
  links?: {
    next: string | null;
  } | undefined;
}

export interface ReceivedEmail {
  data: {
    type: "received_emails_details";
    id: string;
    attributes: {
      recipient_email: string;
      sender_email: string;
      subject: string;
      /** The headers by name; and from, subject, recipient, sender, body-plain, body-html, stripped-text, stripped-html, stripped-signature, message-headers (JSON as a string), timestamp, domain, attachments (null when none) */
      payload: Record<string, unknown>;
      attachments: {
        filename: string;
        mime: string;
        /** In bytes */
        size: number;
        content_id: string | null;
        /** Downloads it without credentials, for a day */
        url: string;
      }[];
      /** Something of the headers or texts is left out because it is over a limit */
      is_truncated: boolean;
      /** Every forward and the callback of it reached their end */
      is_processed: boolean;
      created_at: Timestamp;
      updated_at: Timestamp;
    };
  };
}

export interface Recorder {
  status: "ok";
  call_url: string;
  get_url: string;
  id: string;
}

export interface Recording {
  status: "ok";
  code: "ok";
  /** False until something was sent to the call URL */
  is_received: boolean;
  payload: Record<string, unknown> | unknown[] | string | null;
  method: string | null;
}

export interface Address {
  id: string;
  proxyAddress: string;
  isAutomatic: boolean;
  createdAt: string;
  updatedAt: string;
  realAddresses: {
    id: string;
    address: string;
    isEnabled: boolean;
    isVerified: boolean;
    suspendedAt: string | null;
    isVerificationNeeded: boolean;
    spfSuffices: boolean;
  }[];
  description: string;
  callbackUrl: string;
  isBrowsable: boolean;
  answers: boolean;
  displayName: string;
  answersStrangers: boolean;
  sendsEncrypted: boolean;
}

export interface Domain {
  id: string;
  /** In lower case, international names as A-labels (xn--…) */
  name: string;
  state: "unverified" | "verified" | "broken" | "removed";
  records: DomainRecord[];
}

export interface DomainRecord {
  /** Absolute, without the final dot */
  name: string;
  type: "TXT" | "MX" | "CNAME";
  /** What to publish; empty for a record that is there and not needed */
  expected: string;
  /** What name servers answered last, several joined by a comma; empty for nothing */
  found: string;
  verdict: "ok" | "missing" | "wrong" | "advised" | "warning" | "unknown";
}

export interface Rule {
  id: string;
  bindingId: string | null;
  domainId: string | null;
  position: number;
  name: string;
  conditions: {
    senders?: string[] | undefined;
    clientNetworks?: string[] | undefined;
    tags?: string[] | undefined;
    from?: string[] | undefined;
    dmarc?: ("pass" | "fail" | "none" | "unknown")[] | undefined;
    dkim?: ("pass" | "fail" | "none" | "unknown")[] | undefined;
    subjectContains?: string[] | undefined;
    listIds?: string[] | undefined;
    largerThan?: number | undefined;
    smallerThan?: number | undefined;
  };
  actions: {
    refuse?: boolean | undefined;
    discard?: boolean | undefined;
    tagSubject?: string | undefined;
    forwardTo?: string[] | undefined;
    callbackOnly?: boolean | undefined;
    keepOnly?: boolean | undefined;
    limitPerHour?: number | undefined;
  };
  expiresAt: string | null;
  hits: number;
  lastHitAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ApiKey {
  id: string;
  name: string;
  scopes: string[];
  domain: string | null;
  targetIds: string[];
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
  /** The key itself, in the answer to the PUT that made it and never again */
  key?: string | undefined;
}

export interface NextEmail {
  id: string;
  attributes: {
    recipient_email: string;
    sender_email: string;
    subject: string;
    /** The headers by name; and from, subject, recipient, sender, body-plain, body-html, stripped-text, stripped-html, stripped-signature, message-headers (JSON as a string), timestamp, domain, attachments (null when none) */
    payload: Record<string, unknown>;
    attachments: {
      filename: string;
      mime: string;
      /** In bytes */
      size: number;
      content_id: string | null;
      /** Downloads it without credentials, for a day */
      url: string;
    }[];
    /** Something of the headers or texts is left out because it is over a limit */
    is_truncated: boolean;
    /** Every forward and the callback of it reached their end */
    is_processed: boolean;
    created_at: Timestamp;
    updated_at: Timestamp;
  };
  /** One-time codes, the likeliest first */
  codes: string[];
  /** http and https URLs, each once */
  links: string[];
}

export interface MessageSent {
  id: string;
}

export interface Import {
  id: string;
  source: "simplelogin" | "simplelogin-api" | "addy" | "relay" | "postern";
  state: "reading" | "checked" | "waiting" | "done" | "failed";
  fault: string;
  total: number;
  done: number;
  createdAt: string;
  finishedAt: string | null;
}

export interface ImportRow {
  position: number;
  kind: "domain" | "address" | "patterns" | "contact" | "rule";
  old: string;
  new: string | null;
  verdict: "same" | "new" | "exists" | "refused";
  state: "waiting" | "done" | "left" | "refused";
  detail: string;
}

export interface Webhook {
  url: string;
  /** It is told of these kinds of events; none: of all */
  kinds: ("email.arrived" | "delivery.settled" | "delivery.bounced" | "address.made" | "address.removed")[];
  /** Of these proxy bindings alone, by their ids; none: of all */
  bindingIds: string[];
  /** Null while it is on. Otherwise since when it is told nothing: it answered 410, or took nothing for a whole schedule of attempts. PUT switches it on again */
  off: {
    at: string;
    reason: "gone" | "failing";
  } | null;
}

export type Nothing = Record<string, never>;

export interface Contact {
  type: "proxy_binding_contacts";
  id: string;
  attributes: {
    status: 1;
    recipient_email: string;
    reverse_proxy_address: string;
    description: string;
  };
  relationships: {
    proxy_binding: {
      data: {
        type: "proxy_bindings";
        id: string;
      };
    };
    user: {
      data: {
        type: "users";
        id: string;
      };
    };
  };
}

export interface PatternOutput {
  /** On the part before the @: * any characters, ? one, {a,b} one of several; * alone is a catch-all */
  glob: string;
  /** Verified real addresses of yours; none: the mail is kept for reading */
  targets: string[];
  /** False: what it takes is refused */
  creates: boolean;
  /** New addresses of the domain within an hour at most */
  perHour: number;
}

export interface RestOperations {
  /** Exchange credentials for a bearer token */
  signIn: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: SignIn;
    answer: Token;
  };
  /** Exchange a bearer token for the API token */
  showApiToken: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: ApiToken;
  };
  /** Exchange a bearer token and a code for a bearer token that has the second factor */
  grantSecondFactor: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: SecondFactor;
    answer: Token;
  };
  /** Show the account of the credentials, and the secret that signs callbacks */
  showUser: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: User;
  };
  /** List the proxy bindings */
  listProxyBindings: {
    path: Record<string, never>;
    query: {
      /** By creation: asc oldest first, desc newest first */
      sort?: "asc" | "desc" | undefined;
    };
    body: undefined;
    answer: ProxyBindingList;
  };
  /** Create a proxy binding */
  createProxyBinding: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: ProxyBindingCreation;
    answer: ProxyBinding;
  };
  /** Show a proxy binding */
  showProxyBinding: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: ListedProxyBinding;
  };
  /** Change a proxy binding */
  updateProxyBinding: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: ProxyBindingChange;
    answer: ProxyBinding;
  };
  /** Remove a proxy binding; its address is kept for its former owner */
  deleteProxyBinding: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** List the received emails of a browsable proxy binding */
  listReceivedEmailLinks: {
    path: {
      /** The id of a proxy binding */
      proxyBindingId: string;
    };
    query: {
      /** How many at most; absent: all that are kept */
      "page[size]"?: number | undefined;
      /** Those after this cursor; the answer's links.next has it */
      "page[after]"?: string | undefined;
    };
    body: undefined;
    answer: ReceivedEmailLinks;
  };
  /** Show a received email of a browsable proxy binding */
  showReceivedEmail: {
    path: {
      /** The id of a received email */
      receivedEmailId: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: ReceivedEmail;
  };
  /** Remove a received email */
  deleteReceivedEmail: {
    path: {
      /** The id of a received email */
      receivedEmailId: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Make a webhook recorder */
  createRecorder: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: Recorder;
  };
  /** Read what was last sent to a recorder's call URL */
  showRecording: {
    path: {
      /** The id of a recorder: 32 hexadecimal digits */
      hash: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: Recording;
  };
  /** Remove a recorder and the calls that it recorded */
  deleteRecorder: {
    path: {
      /** The id of a recorder: 32 hexadecimal digits */
      hash: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Show a proxy address, named by its id or by itself */
  showAddress: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Address;
    };
  };
  /** Make a proxy address exactly what is given */
  putAddress: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: PutAddress;
    answer: {
      data: Address;
    };
  };
  /** Remove a proxy address, named by its id or by itself */
  removeAddress: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** List your domains */
  listDomains: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Domain[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** Add a domain of your own */
  addDomain: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      name: string;
    };
    answer: {
      data: Domain;
    };
  };
  /** Show a domain, named by its id or by itself */
  showDomain: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Domain;
    };
  };
  /** Have a domain of your own, named by itself */
  putDomain: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Domain;
    };
  };
  /** Remove a domain, named by its id or by itself */
  removeDomain: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Look at a domain's records now */
  checkDomain: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Domain;
    };
  };
  /** List a domain's patterns */
  listPatterns: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: PatternOutput[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** Set a domain's patterns */
  setPatterns: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: {
      patterns: Pattern[];
    };
    answer: {
      data: PatternOutput[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** List the rules */
  listRules: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Rule[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** Show a rule */
  showRule: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Rule;
    };
  };
  /** Make a rule exactly what is given */
  putRule: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: PutRule;
    answer: {
      data: Rule;
    };
  };
  /** Remove a rule */
  removeRule: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** List the API keys */
  listApiKeys: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: ApiKey[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** Show an API key, named by its id or its name */
  showApiKey: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: ApiKey;
    };
  };
  /** Make an API key exactly what is given */
  putApiKey: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: PutApiKey;
    answer: {
      data: ApiKey;
    };
  };
  /** Revoke an API key, named by its id or its name */
  removeApiKey: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Wait for the next email of a browsable proxy binding */
  nextEmail: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: NextEmailQuestion;
    answer: {
      data: NextEmail;
    } | undefined;
  };
  /** Send mail from a proxy address */
  sendMessage: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: NewMessage;
    answer: {
      data: MessageSent;
    };
  };
  /** Read what happened since a former event, a line of JSON each */
  readEvents: {
    path: Record<string, never>;
    query: {
      /** The cursor of the last event that was read */
      after?: string | undefined;
      /** Events at most; 1000 if absent */
      limit?: number | undefined;
    };
    body: undefined;
    answer: unknown[];
  };
  /** List your imports, newest first */
  listImports: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Import[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** See what an import would make */
  importDryRun: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: NewImport;
    answer: {
      data: Import;
    };
  };
  /** Show how far an import is */
  showImport: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Import;
    };
  };
  /** Forget an import; what it made stays */
  removeImport: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Make what an import read */
  startImport: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: {
      makesNewAddresses?: boolean | null | undefined;
    };
    answer: {
      data: Import;
    };
  };
  /** List the rows of an import, in their order */
  listImportRows: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: {
      /** The cursor of a former page */
      after?: number | undefined;
    };
    body: undefined;
    answer: {
      data: ImportRow[];
      /** The cursor of the next page, for `after`; absent on the last one */
      next?: string | undefined;
    };
  };
  /** Show the account's webhook */
  showWebhook: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Webhook;
    };
  };
  /** Have a URL called with what happens, one for the account */
  putWebhook: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      url: string;
      kinds?: ("email.arrived" | "delivery.settled" | "delivery.bounced" | "address.made" | "address.removed")[] | undefined;
      bindingIds?: string[] | undefined;
    };
    answer: {
      data: Webhook;
    };
  };
  /** Remove the account's webhook */
  removeWebhook: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: undefined;
  };
  /** Ask for an account */
  signUp: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      data: {
        /** Needed nowhere; where it is given, the path's */
        id?: string | undefined;
        type: "users";
        attributes: {
          username: string;
          password: string;
        };
      };
    };
    answer: Nothing;
  };
  /** Have the link of a sign-up sent again */
  resendConfirmation: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      data: {
        /** Needed nowhere; where it is given, the path's */
        id?: string | undefined;
        type: "confirmation";
        attributes: {
          email: string;
        };
      };
    };
    answer: Nothing;
  };
  /** Put another real address in the place of one, in all proxy bindings, patterns and rules */
  replaceRealEmail: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      data: {
        /** Needed nowhere; where it is given, the path's */
        id?: string | undefined;
        type: "replace-real-emails";
        attributes: {
          oldEmail: string;
          newEmail: string;
        };
      };
    };
    answer: Record<string, never>;
  };
  /** Begin to set up a second factor */
  beginSecondFactor: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    answer: {
      /** To be shown as a QR code (otpauth) */
      qr_url: string;
      secret: string;
    };
  };
  /** Put the second factor in force; the recovery codes are shown this once */
  confirmSecondFactor: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      data: {
        code: string;
      };
    };
    answer: {
      data: {
        attributes: {
          codes: string[];
        };
      };
    };
  };
  /** Turn the second factor off */
  removeSecondFactor: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: {
      data?: {
        code: string;
      } | undefined;
    };
    answer: undefined;
  };
  /** Make a contact of a proxy binding: what is written to its reverse address goes to it from the proxy address */
  createContact: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: NewContact;
    answer: {
      data: Contact;
    };
  };
  /** List the contacts of a proxy binding, the last seen first */
  listContacts: {
    path: {
      /** The id of a proxy binding */
      id: string;
    };
    query: Record<string, never>;
    body: undefined;
    answer: {
      data: Contact[];
    };
  };
}

export const restOperations = {
  signIn: {"method":"POST","path":"/api/v1/auth"},
  showApiToken: {"method":"GET","path":"/api/v1/api-token"},
  grantSecondFactor: {"method":"POST","path":"/api/v1/2fa"},
  showUser: {"method":"GET","path":"/api/v1/users/me"},
  listProxyBindings: {"method":"GET","path":"/api/v1/proxy-bindings"},
  createProxyBinding: {"method":"POST","path":"/api/v1/proxy-bindings"},
  showProxyBinding: {"method":"GET","path":"/api/v1/proxy-bindings/{id}"},
  updateProxyBinding: {"method":"PATCH","path":"/api/v1/proxy-bindings/{id}"},
  deleteProxyBinding: {"method":"DELETE","path":"/api/v1/proxy-bindings/{id}"},
  listReceivedEmailLinks: {"method":"GET","path":"/api/v1/received-emails-links/{proxyBindingId}"},
  showReceivedEmail: {"method":"GET","path":"/api/v1/received-emails/{receivedEmailId}"},
  deleteReceivedEmail: {"method":"DELETE","path":"/api/v1/received-emails/{receivedEmailId}"},
  createRecorder: {"method":"POST","path":"/api/v1/callback"},
  showRecording: {"method":"GET","path":"/api/v1/callback/get/{hash}"},
  deleteRecorder: {"method":"DELETE","path":"/api/v1/recorders/{hash}"},
  showAddress: {"method":"GET","path":"/api/postern/v1/addresses/{id}"},
  putAddress: {"method":"PUT","path":"/api/postern/v1/addresses/{id}"},
  removeAddress: {"method":"DELETE","path":"/api/postern/v1/addresses/{id}"},
  listDomains: {"method":"GET","path":"/api/postern/v1/domains"},
  addDomain: {"method":"POST","path":"/api/postern/v1/domains"},
  showDomain: {"method":"GET","path":"/api/postern/v1/domains/{id}"},
  putDomain: {"method":"PUT","path":"/api/postern/v1/domains/{id}"},
  removeDomain: {"method":"DELETE","path":"/api/postern/v1/domains/{id}"},
  checkDomain: {"method":"POST","path":"/api/postern/v1/domains/{id}/check"},
  listPatterns: {"method":"GET","path":"/api/postern/v1/domains/{id}/patterns"},
  setPatterns: {"method":"PUT","path":"/api/postern/v1/domains/{id}/patterns"},
  listRules: {"method":"GET","path":"/api/postern/v1/rules"},
  showRule: {"method":"GET","path":"/api/postern/v1/rules/{id}"},
  putRule: {"method":"PUT","path":"/api/postern/v1/rules/{id}"},
  removeRule: {"method":"DELETE","path":"/api/postern/v1/rules/{id}"},
  listApiKeys: {"method":"GET","path":"/api/postern/v1/keys"},
  showApiKey: {"method":"GET","path":"/api/postern/v1/keys/{id}"},
  putApiKey: {"method":"PUT","path":"/api/postern/v1/keys/{id}"},
  removeApiKey: {"method":"DELETE","path":"/api/postern/v1/keys/{id}"},
  nextEmail: {"method":"POST","path":"/api/postern/v1/emails/next"},
  sendMessage: {"method":"POST","path":"/api/postern/v1/messages"},
  readEvents: {"method":"GET","path":"/api/postern/v1/events"},
  listImports: {"method":"GET","path":"/api/postern/v1/imports"},
  importDryRun: {"method":"POST","path":"/api/postern/v1/imports"},
  showImport: {"method":"GET","path":"/api/postern/v1/imports/{id}"},
  removeImport: {"method":"DELETE","path":"/api/postern/v1/imports/{id}"},
  startImport: {"method":"POST","path":"/api/postern/v1/imports/{id}/start"},
  listImportRows: {"method":"GET","path":"/api/postern/v1/imports/{id}/rows"},
  showWebhook: {"method":"GET","path":"/api/postern/v1/webhook"},
  putWebhook: {"method":"PUT","path":"/api/postern/v1/webhook"},
  removeWebhook: {"method":"DELETE","path":"/api/postern/v1/webhook"},
  signUp: {"method":"POST","path":"/api/v1/users"},
  resendConfirmation: {"method":"POST","path":"/api/v1/resend-confirmation"},
  replaceRealEmail: {"method":"POST","path":"/api/v1/emails/replace"},
  beginSecondFactor: {"method":"POST","path":"/api/v1/2fa-google"},
  confirmSecondFactor: {"method":"POST","path":"/api/v1/confirm-google"},
  removeSecondFactor: {"method":"DELETE","path":"/api/v1/users/remove-2fa"},
  createContact: {"method":"POST","path":"/api/v1/contacts"},
  listContacts: {"method":"GET","path":"/api/v1/proxy-bindings/{id}/contacts"},
} as const;
