/** The offset of a zone from UTC at a moment, such as -03:00. */
export function offsetAt(zone: string, moment: Date): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    timeZoneName: 'longOffset'
  }).formatToParts(moment)
  const named = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return named.replace('GMT', '') || '+00:00'
}
