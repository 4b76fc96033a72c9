/** Asks something of every service, on the way from one to the next. */
export const everyServiceQuery = `{
  me { id username apiToken quota { used available } }
  proxyBindings(first: 1) {
    totalCount
    nodes { id proxyAddress realAddresses { address } owner { id username } emails { totalCount nodes { id deliveries { state } } } }
  }
  recorders { id }
}`;
