import type { FastifyError } from 'fastify'
import type { CardContext } from '../../context.ts'
import type { Input } from '../../http/input.ts'
import type { CardOptions } from '../../settings.ts'
import type { MemberViewer, SignedIn } from '../access/signed-in.ts'
import type { PageRequest, ShownPage } from '../page-request.ts'

/** What a signed-in browser sends: its token, the form token and the origin are checked. */
export interface ActionRequest extends PageRequest {
  readonly viewer: MemberViewer
  readonly signedIn: SignedIn
  /** Fields of the form or of a JSON object, and files. */
  readonly input: Input
}

/**
 * `data` is what scripts get as JSON; it is `{}` by default. Forms lead to a path below the root,
 * or show a page.
 */
export type ActionOutcome =
  | { readonly redirect: string; readonly data?: object; readonly cookie?: string }
  | { readonly page: ShownPage; readonly data?: object }

export interface Action {
  /** Of the POST request, below the root; `:name` is a parameter. */
  readonly path: string
  /** What the token of the session must allow; `write` by default. */
  readonly needs?: 'read' | 'write' | 'admin'
  /** The handler reads the body of `raw` itself; `input` is empty. */
  readonly readsBody?: true
  /** Of each file; by default the maximum of attachments. */
  readonly maxFileBytes?: (options: CardOptions) => number
  /** The handler checks the size of each file, so that a large one does not hide what was typed. */
  readonly maxFiles?: number
  readonly handle: (context: CardContext, request: ActionRequest) => Promise<ActionOutcome>
  /**
   * The page that a form gets in place of an error, with what was typed. By default a page that
   * lists the fields and sends them again.
   */
  readonly showAgain?: (
    context: CardContext,
    request: ActionRequest,
    error: FastifyError
  ) => Promise<ShownPage>
}
