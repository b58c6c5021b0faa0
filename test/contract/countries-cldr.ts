/**
 * Where our data differs from CLDR 48 and is meant to: `+` is ours alone, `-` is theirs alone.
 * Most are questions of judgement, in which the data package's answer stands.
 */
export const ACCEPTED_LANGUAGES: readonly string[] = [
  'AF +tk +uz',
  'AM +ru',
  'AR +gn',
  'BF +ff',
  'BV +nb +nn +no',
  'BZ +es',
  'CD +kg +ln +lu +sw',
  'CG +ln',
  'CH +rm -gsw',
  'CW +en',
  'CY +hy',
  'DZ -fr',
  'EH +es',
  'ES +ca +eu +gl +oc',
  'FJ +hi +ur -hif',
  'GG +fr',
  'GN +ff',
  'GU +es',
  'HM +en',
  'IQ +ku',
  'JE +fr',
  'KM -wni -zdj',
  'LB +fr',
  'LI -gsw',
  'MA -fr -tzm',
  'ME +bs +hr +sq',
  'MF +en +nl',
  'MG -en',
  'MO -yue',
  'MP +ch',
  'NA +af',
  'NG +ha +ig',
  'PE +ay',
  'PF -ty',
  'PH +tl -fil',
  'SJ +no -nb',
  'TF +fr',
  'TJ +ru',
  'TM +ru',
  'TN -fr',
  'TW -hak -nan',
  'UA -ru',
  'UZ +ru',
  'VA +la',
  'ZA +af +nr +nso +ss +st +tn +ts +ve +xh +zu'
]

/** Three currencies are in use in Western Sahara, depending on where. */
export const ACCEPTED_CURRENCIES: readonly string[] = ['EH +DZD +MRU']

/** Kurdish is written in both directions, and its native name is shown in both scripts. */
export const ACCEPTED_DIRECTIONS: readonly string[] = ['ku']
