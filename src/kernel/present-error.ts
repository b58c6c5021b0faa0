import type { IncomingMessage } from 'node:http'
import type { ErrorPageOptions } from './error-page.ts'
import type { ErrorResponse, PresentError } from './errors.ts'
import { isNavigation } from './navigation.ts'

/** Pages are loaded with the first error that needs one. */
export function createPresentError(
  options: ErrorPageOptions,
  wantsPage: (request: IncomingMessage, rendered: ErrorResponse) => boolean = isNavigation
): PresentError {
  return (request, url, rendered) => {
    const { explanation } = rendered
    if (explanation === undefined || !wantsPage(request, rendered)) return rendered
    return import('./error-page.ts').then(({ toErrorPage }) =>
      toErrorPage({ ...rendered, explanation }, { ...options, request, url })
    )
  }
}
