import type { FormConfig, FormDeps, FormInput } from './config.ts'
import type { FormResponse } from './contract.ts'
import { handleForm } from './handle.ts'

export type {
  FormConfig,
  FormDeps,
  FormInput,
  Send,
  SendRequest,
  SendResponse as SendAnswer
} from './config.ts'
export type { FormResponse as FormAnswer } from './contract.ts'

/** I-5 in one function. It uses web-standard APIs only, so it runs on any runtime with `fetch`. */
export async function forward(
  input: FormInput,
  config: FormConfig,
  deps: FormDeps = {}
): Promise<FormResponse> {
  const { response } = await handleForm(input, config, deps)
  return response
}
