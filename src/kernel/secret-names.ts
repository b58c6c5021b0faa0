const SECRET = /password|token|secret|code|authorization|cookie/i

/** Whether the value of a field or parameter with this name is masked where requests are shown. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name)
}
