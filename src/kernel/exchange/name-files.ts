import { UserError } from '../errors.ts'

/** Senders know the names of their files, not the paths of the temporary ones. */
export function nameFiles(
  error: UserError,
  files: readonly { readonly path: string; readonly name: string }[]
): UserError {
  const message = files.reduce((text, { path, name }) => text.replaceAll(path, name), error.message)
  return new UserError(message, { cause: error })
}
