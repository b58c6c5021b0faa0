import type { BaseUrl } from '../kernel/base-url.ts'
import type { PresentError } from '../kernel/errors.ts'
import type { Frame } from '../kernel/page.ts'
import { createPresentError } from '../kernel/present-error.ts'
import type { Service } from '../kernel/service.ts'

/** Without a page of its own, a service has no error pages either. */
export function errorPagesOf(
  { name, pagePath, wantsErrorPage }: Pick<Service, 'name' | 'pagePath' | 'wantsErrorPage'>,
  baseUrl: BaseUrl,
  frame: (base: string) => Frame
): PresentError {
  if (pagePath === undefined) return (_request, _url, rendered) => rendered
  return createPresentError({ name, pagePath, baseUrl, frame }, wantsErrorPage)
}
