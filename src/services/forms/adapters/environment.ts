import type { FormConfig } from '../config.ts'

/** Configuration of a deployed function, which has no host. Workers pass it in `env`. */
export function environmentConfig(env: Readonly<Record<string, unknown>> = {}): FormConfig {
  const variables = typeof process === 'undefined' ? {} : process.env
  const webhook = env.FORMS_WEBHOOK ?? variables.FORMS_WEBHOOK
  return { webhook: typeof webhook === 'string' ? webhook : undefined }
}
