import { RENDITION_WIDTHS } from '../present/image-url.ts'

function inQuery(name: string, description: string, schema: object): object {
  return { name, in: 'query', description, schema }
}

const side = { type: 'integer' }

/** The public images, whose URLs are in the cards of the content API. */
export const IMAGE_PATHS = {
  '/images/{file}': {
    get: {
      operationId: 'image',
      summary: 'An image of a published card',
      parameters: [
        {
          name: 'file',
          in: 'path',
          required: true,
          description: 'SHA-256 of the image, with its extension',
          schema: { type: 'string' }
        },
        inQuery('w', `Width, such as ${RENDITION_WIDTHS.join(', ')}`, side),
        inQuery('h', 'Height, one of the same sizes', side),
        inQuery('fit', 'How the image fits into both', { enum: ['inside', 'cover'] }),
        inQuery('format', 'Type of the image', { enum: ['auto', 'webp', 'jpeg', 'png'] })
      ],
      responses: {
        200: { description: 'The image', content: { 'image/*': {} } },
        206: { description: 'A range of the image in its full size', content: { 'image/*': {} } },
        304: { description: 'The image has not changed' },
        400: { description: 'There is no such size or type', content: { 'text/plain': {} } },
        404: { description: 'There is no such public image', content: { 'text/plain': {} } },
        416: { description: 'The range is not in the image' }
      }
    }
  }
} as const
