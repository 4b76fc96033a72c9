// Made by `npm run clients` from the graph and clients/graph; not to be edited.

export interface CreateProxyBindingInput {
  /** Absent, null or empty: one is made up. */
  proxyAddress?: string | null | undefined;
  /** Absent or empty: one of the reserved internal domain is made up. 10 at most. */
  realAddresses?: string[] | null | undefined;
  /** An absolute http or https URL. */
  callbackUrl?: string | null | undefined;
  isBrowsable?: boolean | null | undefined;
  description?: string | null | undefined;
  answers?: boolean | null | undefined;
  displayName?: string | null | undefined;
  answersStrangers?: boolean | null | undefined;
  sendsEncrypted?: boolean | null | undefined;
}

export interface UpdateProxyBindingInput {
  /** The whole new set: an address left out is removed, one that stays keeps its verification, a new one is sent a link. */
  realAddresses?: RealAddressInput[] | null | undefined;
  /** Empty or null unsets it. */
  callbackUrl?: string | null | undefined;
  isBrowsable?: boolean | null | undefined;
  description?: string | null | undefined;
  answers?: boolean | null | undefined;
  displayName?: string | null | undefined;
  answersStrangers?: boolean | null | undefined;
  sendsEncrypted?: boolean | null | undefined;
}

export interface RealAddressInput {
  address: string;
  isEnabled?: boolean | undefined;
  /** Absent: as it is; at first false. */
  spfSuffices?: boolean | null | undefined;
}

export interface CreateApiKeyInput {
  /** 1 to 64 characters. */
  name: string;
  /** One or more of alias:create, alias:read, alias:write, mail:read, mail:send, admin. */
  scopes: string[];
  /** What it creates and changes has to be on this domain. */
  domain?: string | null | undefined;
  /** What it creates and changes may lead to these targets alone: their ids (Query.targets), or their addresses. */
  targetIds?: string[] | null | undefined;
  expiresAt?: string | null | undefined;
}

export interface GraphOperations {
  listAddresses: { variables: {
    first: number;
    after?: string | null | undefined;
    search?: string | null | undefined;
  }; data: {
    /** The caller's proxy bindings, by age or `order`. `search` looks at addresses, descriptions and labels, without regard to case. `isOn`: those alone that forward to somebody, or to nobody; `domain`: those on it. `first` is 100 at most. */
    proxyBindings: {
      nodes: {
        id: string;
        proxyAddress: string;
        description: string;
        /** Called on each new email; empty when unset. */
        callbackUrl: string;
        /** Whether received emails are kept for reading. */
        isBrowsable: boolean;
        /** Made by the service: at sign-up, for a pattern, or for postmaster of a domain. Does not count towards the quota. */
        isAutomatic: boolean;
        /** Whether its owner answers from the proxy address: mail is then forwarded with the reverse addresses of its contacts. */
        answers: boolean;
        /** The name in From of answers; empty for none. */
        displayName: string;
        /** How many emails came in all. */
        receivedEmails: number;
        createdAt: string;
        updatedAt: string;
        realAddresses: {
          address: string;
          isEnabled: boolean;
          isVerified: boolean;
        }[];
      }[];
      pageInfo: {
        hasNextPage: boolean;
        /** What `after` takes for the next page. */
        endCursor: string | null;
      };
    } | null;
  } };
  showAddress: { variables: {
    id: string;
  }; data: {
    /** One of the caller's. Errors: NOT_FOUND, for somebody else's as well. */
    proxyBinding: {
      id: string;
      proxyAddress: string;
      description: string;
      /** Called on each new email; empty when unset. */
      callbackUrl: string;
      /** Whether received emails are kept for reading. */
      isBrowsable: boolean;
      /** Made by the service: at sign-up, for a pattern, or for postmaster of a domain. Does not count towards the quota. */
      isAutomatic: boolean;
      /** Whether its owner answers from the proxy address: mail is then forwarded with the reverse addresses of its contacts. */
      answers: boolean;
      /** The name in From of answers; empty for none. */
      displayName: string;
      /** How many emails came in all. */
      receivedEmails: number;
      createdAt: string;
      updatedAt: string;
      realAddresses: {
        address: string;
        isEnabled: boolean;
        isVerified: boolean;
      }[];
    } | null;
  } };
  createAddress: { variables: {
    input?: CreateProxyBindingInput | null | undefined;
  }; data: {
    /** Makes a proxy binding; without an input everything is made up. Errors: BAD_USER_INPUT naming the member, CONFLICT (AddressTaken), FORBIDDEN (QuotaExceeded). */
    createProxyBinding: {
      /** False when the address was one of the caller's own already: then the binding is the one that exists, as it is. */
      isCreated: boolean;
      proxyBinding: {
        id: string;
        proxyAddress: string;
        description: string;
        /** Called on each new email; empty when unset. */
        callbackUrl: string;
        /** Whether received emails are kept for reading. */
        isBrowsable: boolean;
        /** Made by the service: at sign-up, for a pattern, or for postmaster of a domain. Does not count towards the quota. */
        isAutomatic: boolean;
        /** Whether its owner answers from the proxy address: mail is then forwarded with the reverse addresses of its contacts. */
        answers: boolean;
        /** The name in From of answers; empty for none. */
        displayName: string;
        /** How many emails came in all. */
        receivedEmails: number;
        createdAt: string;
        updatedAt: string;
        realAddresses: {
          address: string;
          isEnabled: boolean;
          isVerified: boolean;
        }[];
      };
    } | null;
  } };
  updateAddress: { variables: {
    id: string;
    input: UpdateProxyBindingInput;
  }; data: {
    /** Changes what the input names, and leaves the rest as it is. */
    updateProxyBinding: {
      proxyBinding: {
        id: string;
        proxyAddress: string;
        description: string;
        /** Called on each new email; empty when unset. */
        callbackUrl: string;
        /** Whether received emails are kept for reading. */
        isBrowsable: boolean;
        /** Made by the service: at sign-up, for a pattern, or for postmaster of a domain. Does not count towards the quota. */
        isAutomatic: boolean;
        /** Whether its owner answers from the proxy address: mail is then forwarded with the reverse addresses of its contacts. */
        answers: boolean;
        /** The name in From of answers; empty for none. */
        displayName: string;
        /** How many emails came in all. */
        receivedEmails: number;
        createdAt: string;
        updatedAt: string;
        realAddresses: {
          address: string;
          isEnabled: boolean;
          isVerified: boolean;
        }[];
      };
    } | null;
  } };
  removeAddress: { variables: {
    id: string;
  }; data: {
    /** Removes a proxy binding and the emails that are kept for it. Its address goes back to its former owner only. */
    deleteProxyBinding: {
      /** The one that is gone. */
      id: string;
    } | null;
  } };
  listContacts: { variables: {
    address: string;
    first: number;
    after?: string | null | undefined;
    search?: string | null | undefined;
  }; data: {
    /** One of the caller's. Errors: NOT_FOUND, for somebody else's as well. */
    proxyBinding: {
      /** Whom this address knows, the last seen first. `search` looks at addresses and names, without regard to case. `first` is 100 at most. */
      contacts: {
        nodes: {
          id: string;
          address: string;
          name: string;
          /** Whoever writes to it from a real address of the binding reaches the contact, who sees the proxy address alone. */
          reverseAddress: string;
          isBlocked: boolean;
          /** Emails from the contact. */
          received: number;
          /** Answers and mail to the contact. */
          sent: number;
          lastSeenAt: string;
        }[];
        pageInfo: {
          hasNextPage: boolean;
          /** What `after` takes for the next page. */
          endCursor: string | null;
        };
      } | null;
    } | null;
  } };
  createContact: { variables: {
    bindingId: string;
    address: string;
    name?: string | null | undefined;
  }; data: {
    /** Makes a contact by hand, or gives the one that the binding has. Errors: NOT_FOUND, BAD_USER_INPUT, RATE_LIMITED. */
    createContact: {
      contact: {
        id: string;
        address: string;
        name: string;
        /** Whoever writes to it from a real address of the binding reaches the contact, who sees the proxy address alone. */
        reverseAddress: string;
        isBlocked: boolean;
        /** Emails from the contact. */
        received: number;
        /** Answers and mail to the contact. */
        sent: number;
        lastSeenAt: string;
      };
    } | null;
  } };
  updateContact: { variables: {
    id: string;
    name?: string | null | undefined;
    isBlocked?: boolean | null | undefined;
  }; data: {
    /** Names or blocks a contact; what is absent stays as it is. Mail from a blocked one is refused. */
    updateContact: {
      contact: {
        id: string;
        address: string;
        name: string;
        /** Whoever writes to it from a real address of the binding reaches the contact, who sees the proxy address alone. */
        reverseAddress: string;
        isBlocked: boolean;
        /** Emails from the contact. */
        received: number;
        /** Answers and mail to the contact. */
        sent: number;
        lastSeenAt: string;
      };
    } | null;
  } };
  removeContact: { variables: {
    id: string;
  }; data: {
    /** Removes a contact. Its reverse address leads nowhere from then on. */
    deleteContact: {
      /** The one that is gone. */
      id: string;
    } | null;
  } };
  listKeys: { variables: Record<string, never>; data: {
    /** The account's API keys, in the order they were made. Never shown to an API key. */
    apiKeys: {
      id: string;
      name: string;
      /** alias:create, alias:read, alias:write, mail:read, mail:send; admin for the whole account. */
      scopes: string[];
      /** What it creates and changes is on this domain; null for any. */
      domain: string | null;
      /** What it creates and changes leads to these targets alone; empty for any. */
      targetIds: string[];
      expiresAt: string | null;
      /** To within a minute; null where it was never used. */
      lastUsedAt: string | null;
      createdAt: string;
    }[] | null;
  } };
  createKey: { variables: {
    input: CreateApiKeyInput;
  }; data: {
    /** Makes an API key, which is shown this once. Takes a fresh proof. Errors: FORBIDDEN (FreshProofRequired, QuotaExceeded), BAD_USER_INPUT naming the member. */
    createApiKey: {
      /** psk_…; shown this once. */
      key: string;
      apiKey: {
        id: string;
        name: string;
        /** alias:create, alias:read, alias:write, mail:read, mail:send; admin for the whole account. */
        scopes: string[];
        /** What it creates and changes is on this domain; null for any. */
        domain: string | null;
        /** What it creates and changes leads to these targets alone; empty for any. */
        targetIds: string[];
        expiresAt: string | null;
        /** To within a minute; null where it was never used. */
        lastUsedAt: string | null;
        createdAt: string;
      };
    } | null;
  } };
  revokeKey: { variables: {
    id: string;
  }; data: {
    /** It is worth nothing from here on. Takes a fresh proof. Errors: NOT_FOUND, FORBIDDEN (FreshProofRequired). */
    revokeApiKey: {
      /** The one that is gone. */
      id: string;
    } | null;
  } };
}

export const graphOperations = {
  listAddresses: {"isMutation":false,"text":"query listAddresses($first:Int!$after:String$search:String){proxyBindings(first:$first after:$after search:$search){nodes{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}pageInfo{hasNextPage endCursor}}}"},
  showAddress: {"isMutation":false,"text":"query showAddress($id:ID!){proxyBinding(id:$id){id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}"},
  createAddress: {"isMutation":true,"text":"mutation createAddress($input:CreateProxyBindingInput){createProxyBinding(input:$input){isCreated proxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}}"},
  updateAddress: {"isMutation":true,"text":"mutation updateAddress($id:ID!$input:UpdateProxyBindingInput!){updateProxyBinding(id:$id input:$input){proxyBinding{id proxyAddress description callbackUrl isBrowsable isAutomatic answers displayName receivedEmails createdAt updatedAt realAddresses{address isEnabled isVerified}}}}"},
  removeAddress: {"isMutation":true,"text":"mutation removeAddress($id:ID!){deleteProxyBinding(id:$id){id}}"},
  listContacts: {"isMutation":false,"text":"query listContacts($address:ID!$first:Int!$after:String$search:String){proxyBinding(id:$address){contacts(first:$first after:$after search:$search){nodes{id address name reverseAddress isBlocked received sent lastSeenAt}pageInfo{hasNextPage endCursor}}}}"},
  createContact: {"isMutation":true,"text":"mutation createContact($bindingId:ID!$address:String!$name:String){createContact(bindingId:$bindingId address:$address name:$name){contact{id address name reverseAddress isBlocked received sent lastSeenAt}}}"},
  updateContact: {"isMutation":true,"text":"mutation updateContact($id:ID!$name:String$isBlocked:Boolean){updateContact(id:$id name:$name isBlocked:$isBlocked){contact{id address name reverseAddress isBlocked received sent lastSeenAt}}}"},
  removeContact: {"isMutation":true,"text":"mutation removeContact($id:ID!){deleteContact(id:$id){id}}"},
  listKeys: {"isMutation":false,"text":"query listKeys{apiKeys{id name scopes domain targetIds expiresAt lastUsedAt createdAt}}"},
  createKey: {"isMutation":true,"text":"mutation createKey($input:CreateApiKeyInput!){createApiKey(input:$input){key apiKey{id name scopes domain targetIds expiresAt lastUsedAt createdAt}}}"},
  revokeKey: {"isMutation":true,"text":"mutation revokeKey($id:ID!){revokeApiKey(id:$id){id}}"},
} as const;
