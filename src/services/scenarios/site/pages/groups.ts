/** Groups of scenarios on the start page. */
export const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Slow networks', names: ['slow', 'drip', 'hang', 'upload-slow'] },
  {
    title: 'Broken connections',
    names: ['reset', 'truncate', 'offline-then-online', 'upload-fail', 'sse-drop', 'ws-close']
  },
  {
    title: 'Failing servers',
    names: ['flaky', 'fail-first', 'every', 'status', 'rate-limit', 'maintenance', 'bad-gateway']
  },
  {
    title: 'Unusual responses',
    names: [
      ...['malformed-json', 'empty-body', 'wrong-type', 'redirect', 'redirect-loop'],
      ...['not-modified', 'cors', 'cors-preflight']
    ]
  },
  {
    title: 'Rejected requests',
    names: [
      ...['unauthorized', 'forbidden', 'not-found', 'gone', 'validation', 'conflict', 'stale'],
      ...['if-match-required', 'too-large']
    ]
  },
  {
    title: 'Logins',
    names: [
      ...['wrong', 'locked', 'disabled', 'unverified', 'password-expired', 'mfa', 'auth-status']
    ]
  },
  {
    title: 'Tokens',
    names: ['token-expired', 'token-revoked', 'short-token', 'refresh-fails', 'refresh-race']
  },
  {
    title: 'Lists',
    names: [
      ...['empty-list', 'one-item', 'last-page-short', 'page-past-end', 'large-list'],
      ...['cursor', 'shifting']
    ]
  },
  { title: 'Unusual content', names: ['nulls', 'long-text', 'unicode', 'rtl', 'xss'] }
]
