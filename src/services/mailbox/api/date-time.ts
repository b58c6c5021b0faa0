/** A time of RFC 3339, or a day alone, which stands for its first moment in UTC. */
const FORM =
  /^\d{4}-\d\d-\d\d(?:[T ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?))?$/i

/** Of what JavaScript can calculate with: it knows no leap seconds. */
export function isDateTime(text: string): boolean {
  if (!FORM.test(text) || Number.isNaN(Date.parse(text))) return false
  const day = text.slice(0, 10)
  // 30 February would be taken for 2 March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
