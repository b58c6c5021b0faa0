/** Query parameters by name. The last of repeated parameters is used; empty ones are ignored. */
export type Parameters = ReadonlyMap<string, string>

export const NO_PARAMETERS: Parameters = new Map()

export function parseParameters(query: string): Parameters {
  const parameters = new Map(new URLSearchParams(query))
  for (const [name, value] of parameters) if (value.trim() === '') parameters.delete(name)
  return parameters
}

/** The different values of a list, in their order: a repeated value has no further effect. */
export function splitList(value: string | undefined): string[] {
  if (value === undefined) return []
  const parts = new Set(value.split(',').map((part) => part.trim()))
  parts.delete('')
  return [...parts]
}
