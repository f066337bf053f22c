/** Headers in which a proxy names the user it calls for: sent by a caller, they open nothing (R39). */
export const trustedHeaders: Readonly<Record<string, Record<string, string>>> = {
  'forwarded for a network of its own': {
    'x-forwarded-for': '10.0.0.1, 192.168.0.1',
    'x-real-ip': '::1',
    'x-envoy-internal': 'true',
    via: '1.1 localhost',
    forwarded: 'for="[::1]"',
  },
  'forwarded for the machine itself': {
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    'x-client-ip': '127.0.0.1',
    'true-client-ip': '127.0.0.1',
    'x-forwarded-host': 'localhost',
    'x-forwarded-proto': 'https',
    forwarded: 'for=127.0.0.1;host=localhost;proto=https',
  },
  'sent by a user whom a proxy names': {
    'x-remote-user': 'admin',
    'remote-user': 'admin',
    'x-forwarded-user': 'admin',
    'x-forwarded-email': 'admin@localhost',
    'x-auth-request-user': 'admin',
    'x-authenticated-userid': 'admin',
    'x-consumer-username': 'admin',
    // as proxies of clouds and networks do
    'x-goog-authenticated-user-email': 'accounts.google.com:admin@localhost',
    'x-ms-client-principal-name': 'admin@localhost',
    'x-amzn-oidc-identity': 'admin',
    'cf-access-authenticated-user-email': 'admin@localhost',
    'tailscale-user-login': 'admin@localhost',
  },
  'asked before another call': {
    origin: 'https://console.example',
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'authorization',
    'sec-fetch-mode': 'cors',
  },
  'from a probe or a timer': {
    'x-health-check': '1',
    'x-probe': 'liveness',
    'x-appengine-cron': 'true',
    'x-cloudscheduler': 'true',
    'x-internal-request': 'true',
    'user-agent': 'kube-probe/1.31 GoogleHC/1.0 ELB-HealthChecker/2.0',
  },
  'verified by a proxy': {
    'x-ssl-client-verify': 'SUCCESS',
    'ssl-client-verify': 'SUCCESS',
    'x-client-verify': 'SUCCESS',
    'x-forwarded-client-cert':
      'By=spiffe://cluster.local/ns/default/sa/api;URI=spiffe://cluster.local/ns/default/sa/admin',
    'x-endpoint-api-userinfo': Buffer.from('{"id":"admin"}').toString('base64url'),
  },
}

/** Headers that claim another path was requested: one that often needs no token, and does not exist here. */
export const rewritten: Readonly<Record<string, string>> = {
  'x-original-url': '/health/none',
  'x-rewrite-url': '/health/none',
  'x-forwarded-uri': '/health/none',
  'x-original-method': 'OPTIONS',
  'x-forwarded-method': 'OPTIONS',
}

/** What a proxy in front of the target adds to a call: with a good token it changes nothing. */
export function addedByProxy(baseUrl: string): Record<string, string> {
  const { host, protocol } = new URL(baseUrl)
  const proto = protocol.replace(':', '')
  // an address for documentation (RFC 5737)
  const client = '203.0.113.7'
  return {
    'x-forwarded-for': client,
    'x-real-ip': client,
    'x-forwarded-host': host,
    'x-forwarded-proto': proto,
    forwarded: `for=${client};host="${host}";proto=${proto}`,
  }
}
