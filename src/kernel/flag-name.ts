/** The flag of a setting: `forms.timeoutMs` → `forms-timeout-ms`. */
export function flagName(key: string): string {
  return key.replace('.', '-').replace(/[A-Z]/g, (character) => `-${character.toLowerCase()}`)
}
