/** The flag of a setting: `forms.timeoutMs` → `forms-timeout-ms`. */
export function flagName(key: string): string {
  return key.replace('.', '-').replace(/[A-Z]/g, (character) => `-${character.toLowerCase()}`)
}

/** The variable with the URL of a service or of another port of it, which commands get. */
export function urlVariable(name: string): string {
  return `NONET_${name.toUpperCase().replaceAll('-', '_')}_URL`
}
