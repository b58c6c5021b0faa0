import { type Cache, createCache } from '../../../kernel/cache.ts'

type Kind = 'region' | 'language' | 'currency'

/** Language, perhaps script, perhaps region: no extensions, of which there are endless ones. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i
const MAX_OPEN_LANGUAGES = 40

/** Undefined when CLDR does not know the language; null when it has no name for the thing. */
export type LocalName = (kind: Kind, code: string, language: string) => string | null | undefined

/** Names as the CLDR data of this Node has them. */
export function createLocalName(): LocalName {
  const open: Cache<Intl.DisplayNames> = createCache(MAX_OPEN_LANGUAGES, () => 1)

  function find(kind: Kind, language: string): Intl.DisplayNames | undefined {
    const key = `${kind} ${language}`
    const known = open.get(key)
    if (known !== undefined) return known
    if (!TAG.test(language) || !isSupported(language)) return undefined
    const names = new Intl.DisplayNames(language, { type: kind, fallback: 'none' })
    open.set(key, names)
    return names
  }

  return (kind, code, language) => {
    const names = find(kind, language)
    return names && (names.of(code) ?? null)
  }
}

function isSupported(language: string): boolean {
  return Intl.DisplayNames.supportedLocalesOf(language).length > 0
}
