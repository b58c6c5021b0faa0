/** Words around a quoted message, as mail programs write them in these languages. */
export interface Phrases {
  readonly wrote: (date: string, author: string) => string
  readonly forwarded: string
  readonly from: string
  readonly date: string
  readonly subject: string
  readonly to: string
  readonly cc: string
}

const ENGLISH: Phrases = {
  wrote: (date, author) => (date === '' ? `${author} wrote:` : `On ${date}, ${author} wrote:`),
  forwarded: 'Forwarded message',
  ...{ from: 'From', date: 'Date', subject: 'Subject', to: 'To', cc: 'Cc' }
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: ENGLISH,
  de: {
    wrote: (date, author) => (date === '' ? `${author} schrieb:` : `Am ${date} schrieb ${author}:`),
    forwarded: 'Weitergeleitete Nachricht',
    ...{ from: 'Von', date: 'Datum', subject: 'Betreff', to: 'An', cc: 'Cc' }
  },
  es: {
    wrote: (date, author) =>
      date === '' ? `${author} escribió:` : `El ${date}, ${author} escribió:`,
    forwarded: 'Mensaje reenviado',
    ...{ from: 'De', date: 'Fecha', subject: 'Asunto', to: 'Para', cc: 'Cc' }
  },
  et: {
    wrote: (date, author) => (date === '' ? `${author} kirjutas:` : `${date} kirjutas ${author}:`),
    forwarded: 'Edastatud kiri',
    ...{ from: 'Saatja', date: 'Kuupäev', subject: 'Teema', to: 'Saaja', cc: 'Koopia' }
  },
  fr: {
    wrote: (date, author) =>
      date === '' ? `${author} a écrit :` : `Le ${date}, ${author} a écrit :`,
    forwarded: 'Message transféré',
    ...{ from: 'De', date: 'Date', subject: 'Objet', to: 'À', cc: 'Cc' }
  },
  ja: {
    wrote: (date, author) => `${date} ${author}:`.trim(),
    forwarded: '転送されたメッセージ',
    ...{ from: '差出人', date: '日付', subject: '件名', to: '宛先', cc: 'Cc' }
  },
  nl: {
    wrote: (date, author) => (date === '' ? `${author} schreef:` : `Op ${date} schreef ${author}:`),
    forwarded: 'Doorgestuurd bericht',
    ...{ from: 'Van', date: 'Datum', subject: 'Onderwerp', to: 'Aan', cc: 'Cc' }
  },
  pl: {
    wrote: (date, author) => (date === '' ? `${author} pisze:` : `${date}, ${author} pisze:`),
    forwarded: 'Wiadomość przekazana dalej',
    ...{ from: 'Od', date: 'Data', subject: 'Temat', to: 'Do', cc: 'DW' }
  }
}

/** English for other languages. */
export function phrasesOf(locale: string): Phrases {
  const language = new Intl.Locale(locale).language
  return (Object.hasOwn(PHRASES, language) ? PHRASES[language] : undefined) ?? ENGLISH
}
