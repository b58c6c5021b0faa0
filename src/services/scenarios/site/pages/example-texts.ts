/** What the examples of scenarios with arguments do; the description of a scenario is general. */
export const EXAMPLE_TEXTS: Readonly<Partial<Record<string, string>>> = {
  slow: 'The response comes after 1.5 seconds.',
  drip: 'The headers come at once, the body in ten parts within 3 seconds.',
  'upload-slow': 'The request body is read at 1000 bytes per second, for progress bars.',
  'upload-fail': 'The connection is dropped after half of the request body.',
  'offline-then-online': 'The first two requests get no response, later ones succeed.',
  'sse-drop': 'An event stream is closed after three messages.',
  'ws-close': 'A WebSocket is closed with code 1011 after its first message.',
  flaky: 'One of three requests gets 503.',
  'fail-first': 'The first two requests get 503, later ones succeed.',
  every: 'Every second request gets 500.',
  status: 'Every request gets 503. Each other status works the same way.',
  'rate-limit': 'Two requests within 30 seconds succeed, further ones get 429 with Retry-After.',
  maintenance: '503 with Retry-After: 30 and the time at which the maintenance ends.',
  redirect: 'Three redirects come before the response.',
  'auth-status': 'A failed login or registration gets 400 instead of 403.',
  'short-token': 'A login returns an access token that expires after 5 seconds.',
  'large-list': 'Lists have 1000 entries: the twelve samples, then generated ones.',
  locked: 'Login: the account is locked for 15 minutes. With locked:60, for one minute.'
}
