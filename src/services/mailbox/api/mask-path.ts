/** For logs: the routes of tokens accept the value of a token in the path. */
export function maskPath(path: string): string {
  return path.replace(/^(\/v1\/tokens?\/)([^/]{9,})/, (_, start: string, token: string) =>
    token === 'account' ? start + token : `${start}${token.slice(0, 8)}…`
  )
}
