import { UserError } from '../kernel/errors.ts'

/** One finding of `nonet doctor`. */
export interface Diagnosis {
  ok: boolean
  what: string
  /** What was found, if it is fine. */
  note?: string
  /** What is wrong and how to fix it. */
  advice?: string
}

/** `inspect` returns a note; its error becomes the advice. */
export async function diagnosed(what: string, inspect: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { ok: true, what, note: await inspect() }
  } catch (error) {
    if (error instanceof UserError) return { ok: false, what, advice: error.message }
    throw error
  }
}

export function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1_000_000)} MB`
}
