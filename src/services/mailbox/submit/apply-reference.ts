import type { Account } from '../accounts/account.ts'
import type { AttachmentInput, MailAddressInput } from '../api/schemas/compose.ts'
import type { MailSession } from '../messages/session.ts'
import { bareContentId } from '../messages/structure.ts'
import { decodeId, imageIdsOf, MAX_IMAGES } from '../messages/web-safe/message-images.ts'
import type { ComposedAttachment } from './compose.ts'
import { ReferenceNotFound } from './contract.ts'
import { loadParts, loadReferenced, sizeOf } from './load-parts.ts'
import { loadOriginal, type Original } from './original.ts'
import { withQuote } from './quote.ts'
import { readAttachments } from './read-attachments.ts'
import { replyRecipients, subjectOf } from './reply-fields.ts'
import type { ReferenceAction } from './submission.ts'

const MAX_ATTACHMENTS = 200

export interface ReferenceInput {
  readonly message: string
  readonly action: ReferenceAction
  readonly inline: boolean
  readonly forwardAttachments: boolean
  readonly ignoreMissing: boolean
  readonly messageId?: string
}

/** The fields of a request that a reference or attachments fill in. */
export interface ReferringInput {
  readonly from?: MailAddressInput
  readonly to?: readonly MailAddressInput[]
  readonly cc?: readonly MailAddressInput[]
  readonly subject?: string
  readonly text?: string
  readonly html?: string
  readonly raw?: string
  readonly attachments?: readonly AttachmentInput[]
  readonly reference?: ReferenceInput
}

export interface AppliedReference<Input> {
  readonly input: Input
  readonly attachments: readonly ComposedAttachment[]
  readonly inReplyTo?: string | undefined
  readonly references?: readonly string[] | undefined
  /** For the response; undefined if the request refers to no message. */
  readonly reference?: {
    readonly message: string
    readonly success: boolean
    readonly error?: string
  }
}

export interface ReferenceOptions {
  readonly account: Pick<Account, 'email'>
  readonly locale: string
  readonly timeZone: string
}

/** Whether a connection to the IMAP server is needed. */
export function refersToMessages({ reference, attachments = [] }: ReferringInput): boolean {
  return reference !== undefined || attachments.some((one) => one.reference !== undefined)
}

/** Whether parts of messages are needed, not only their fields. */
export function needsParts({ reference, attachments = [] }: ReferringInput): boolean {
  const hasContent = reference?.inline === true || reference?.forwardAttachments === true
  return hasContent || attachments.some((one) => one.reference !== undefined)
}

/** A reply or forwarded message: fields that are not in the request come from the original. */
export async function applyReference<Input extends ReferringInput>(
  session: MailSession,
  input: Input,
  options: ReferenceOptions
): Promise<AppliedReference<Input>> {
  const own = await ownAttachments(session, input)
  const { reference } = input
  if (reference === undefined) return { input, attachments: own }
  const { message, action, inline } = reference
  const original = await findOriginal(session, reference, input.raw === undefined && inline)
  if (original === undefined) {
    const { message: error } = new ReferenceNotFound()
    return { input, attachments: own, reference: { message, success: false, error } }
  }
  const addresses = [options.account.email, input.from?.address].filter((one) => one !== undefined)
  const { to, cc } = replyRecipients(original, action, addresses)
  const body = inline && input.raw === undefined ? quoted(input, original, options) : {}
  const carried = await carriedAttachments(session, original, reference, {
    html: body.html,
    used: sizeOf(own)
  })
  return {
    input: {
      ...input,
      ...(input.to === undefined && to.length > 0 && { to }),
      ...(input.cc === undefined && cc.length > 0 && { cc }),
      ...(input.subject === undefined &&
        input.raw === undefined && { subject: subjectOf(original.subject, action) }),
      ...body
    },
    attachments: [...own, ...carried],
    inReplyTo: action === 'forward' ? undefined : original.messageId,
    references: original.references,
    reference: { message, success: true }
  }
}

async function ownAttachments(
  session: MailSession,
  { attachments = [] }: ReferringInput
): Promise<readonly ComposedAttachment[]> {
  const own: ComposedAttachment[] = []
  for (const attachment of attachments) {
    if (attachment.reference === undefined)
      own.push(...readAttachments({ attachments: [attachment] }))
    else own.push(await loadReferenced(session, attachment, sizeOf(own)))
  }
  return own
}

/** Undefined if it is missing and that is to be ignored. */
async function findOriginal(
  session: MailSession,
  reference: ReferenceInput,
  withTexts: boolean
): Promise<Original | undefined> {
  try {
    return await loadOriginal(session, reference, { withTexts })
  } catch (error) {
    if (error instanceof ReferenceNotFound && reference.ignoreMissing) return undefined
    throw error
  }
}

function quoted(
  input: ReferringInput,
  original: Original,
  options: ReferenceOptions
): { text?: string; html?: string } {
  const action = input.reference?.action ?? 'reply'
  const { text, html } = withQuote({ text: input.text, html: input.html }, original, {
    ...options,
    action
  })
  return { ...(text !== undefined && { text }), ...(html !== undefined && { html }) }
}

/** All attachments of the original if they are wanted, else the images that the quote shows. */
async function carriedAttachments(
  session: MailSession,
  { uid, parts }: Original,
  { forwardAttachments }: ReferenceInput,
  { html, used }: { readonly html: string | undefined; readonly used: number }
): Promise<readonly ComposedAttachment[]> {
  const shown = new Set(html === undefined ? [] : imageIdsOf(html, MAX_IMAGES))
  const leaves = parts.attachments.filter((leaf) => {
    if (leaf.isInMessage) return false
    const id = bareContentId(leaf)
    return forwardAttachments || (id !== undefined && shown.has(decodeId(id)))
  })
  return loadParts(session, uid, leaves.slice(0, MAX_ATTACHMENTS), used)
}
