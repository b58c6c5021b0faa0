import { UserError } from '../errors.ts'

/**
 * - `damaged`: not a zip archive, cut short, or its records contradict each other
 * - `unsupported`: encrypted, split, or compressed by another method than deflate
 * - `limit`: larger than the limits allow
 * - `name`: the name of an entry is not a plain relative path, or is used twice
 */
export type ZipProblem = 'damaged' | 'unsupported' | 'limit' | 'name'

/** The message is one sentence that names the archive and the entry. */
export class ZipError extends UserError {
  override name = 'ZipError'
  readonly problem: ZipProblem
  /** Undefined if the problem is not with one entry. */
  readonly entry: string | undefined

  constructor(
    problem: ZipProblem,
    message: string,
    options: ErrorOptions & { entry?: string } = {}
  ) {
    super(message, options)
    this.problem = problem
    this.entry = options.entry
  }
}

/** A name in an error message: control characters are escaped, long names cut. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name)
}

export function damaged(archive: string, detail: string, options?: ErrorOptions): ZipError {
  const remedy = 'download or copy it again'
  return new ZipError(
    'damaged',
    `${archive} is not a complete zip archive: ${detail}; ${remedy}`,
    options
  )
}

export function damagedEntry(
  archive: string,
  entry: string,
  detail: string,
  options?: ErrorOptions
): ZipError {
  const text = `The entry ${quoteName(entry)} of ${archive} is damaged: ${detail}; download or copy the archive again`
  return new ZipError('damaged', text, { ...options, entry })
}
