import { type Cache, createCache } from '../../../kernel/cache.ts'

type Kind = 'region' | 'language' | 'currency'

/** Language with optional script and region; extensions, of unlimited number, are excluded. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i
const MAX_OPEN_LANGUAGES = 40

/** Undefined if CLDR does not support the language; null if it has no name for the code. */
export type LocalName = (kind: Kind, code: string, language: string) => string | null | undefined

/** Names from the CLDR data of the running Node. */
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
