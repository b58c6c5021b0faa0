import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { SchemaSummary } from './schema-summary.ts'
import { Malformed } from './text-value.ts'
import { type Element, readElement } from './xml-value.ts'

/** Used to load the parser with the first XML body. */
const require = createRequire(import.meta.url)

const MAX_DEPTH = 100
const MAX_ATTRIBUTES = 1000
/** This many elements block the event loop for about 40 ms, twice as many for 75 to 90 ms. */
const MAX_ELEMENTS = 50_000
const SLICE_LENGTH = 16 * 1024

class XmlError extends Error {}

/** Reads XML by the `xml` objects of a schema. Entities of a DTD are never expanded. */
export async function readXml(text: string, shape: SchemaSummary): Promise<unknown> {
  const root = await parseXml(text)
  if (root instanceof Malformed) return root
  if (text.length <= SLICE_LENGTH) return readElement(root, shape)
  await setImmediate()
  const value = readElement(root, shape)
  await setImmediate()
  return value
}

async function parseXml(text: string): Promise<Element | Malformed> {
  const { SaxesParser }: typeof import('saxes') = require('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = []
  let root: Element | undefined
  let attributeCount = 0
  let elementCount = 0
  parser.on('error', (error) => {
    throw new XmlError(error.message)
  })
  parser.on('opentagstart', () => {
    attributeCount = 0
    if (++elementCount > MAX_ELEMENTS) throw new XmlError('it has too many elements')
    if (open.length >= MAX_DEPTH) throw new XmlError('it is nested too deeply')
  })
  parser.on('attribute', () => {
    if (++attributeCount > MAX_ATTRIBUTES) throw new XmlError('it has too many attributes')
  })
  parser.on('opentag', ({ name: fullName, local: name, uri, attributes: given }) => {
    const attributes = new Map<string, string>()
    const element: Element = { name, fullName, uri, attributes, children: [], text: '' }
    for (const { local, prefix, value } of Object.values(given)) {
      if (prefix === 'xmlns' || (prefix === '' && local === 'xmlns')) continue
      attributes.set(prefix === 'xsi' ? `xsi:${local}` : local, value)
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const addText = (part: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => open.pop())
  try {
    for (let start = 0; start < text.length; start += SLICE_LENGTH) {
      // Lets other requests pass.
      if (start > 0) await setImmediate()
      parser.write(text.slice(start, start + SLICE_LENGTH))
    }
    parser.close()
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return new Malformed(`is not valid XML: ${error.message}`)
  }
  return root ?? new Malformed('has no XML element')
}
