import { DOCUMENT_STORE } from '../missing-features.ts'
import type { InputSchemas } from '../route.ts'
import { BOOLEAN, notOffered } from './parts.ts'

const TEXT_TYPE = { type: 'string', enum: ['html', 'plain', '*'] }
/** Of each type of text, in UTF-8. */
const MAX_BYTES = { type: 'integer', minimum: 0, maximum: 1024 * 1024 * 1024 }
/** `block`: images of other hosts are not loaded. */
const REMOTE_IMAGES = { type: 'string', enum: ['keep', 'block'] }

export const messageSchemas = {
  showMessage: {
    query: {
      textType: TEXT_TYPE,
      maxBytes: MAX_BYTES,
      webSafeHtml: BOOLEAN,
      embedAttachedImages: BOOLEAN,
      preProcessHtml: BOOLEAN,
      remoteImages: REMOTE_IMAGES,
      markAsSeen: BOOLEAN,
      documentStore: notOffered(DOCUMENT_STORE)
    }
  },
  showText: {
    query: {
      textType: { ...TEXT_TYPE, default: '*' },
      maxBytes: MAX_BYTES,
      webSafeHtml: BOOLEAN,
      remoteImages: REMOTE_IMAGES,
      documentStore: notOffered(DOCUMENT_STORE)
    }
  }
} satisfies Partial<Record<string, InputSchemas>>
