import type { FormConfig } from '../config.ts'

/** A deployed function has no host to read the environment for it. Workers pass theirs in. */
export function environmentConfig(env: Readonly<Record<string, unknown>> = {}): FormConfig {
  const variables = typeof process === 'undefined' ? {} : process.env
  const webhook = env.FORMS_WEBHOOK ?? variables.FORMS_WEBHOOK
  return { webhook: typeof webhook === 'string' ? webhook : undefined }
}
