import type { DefaultTheme, SiteData } from 'vitepress'

/**
 * The site with an order of search results. A function of the configuration would need
 * `unsafe-eval` in the browser.
 */
export function withSearchOrder(site: SiteData<DefaultTheme.Config>): typeof site {
  const searchOptions = { boostDocument, prefix: isBeginning, processTerm, tokenize }
  const options = { detailedView: false, miniSearch: { searchOptions } }
  return { ...site, themeConfig: { ...site.themeConfig, search: { provider: 'local', options } } }
}

/** Words of a search. Each is compared with all words of the site, also with those like it. */
const MAX_WORDS = 20
/** Characters of a search. */
const MAX_CHARACTERS = 300
/** Spaces and punctuation, as in the index. */
const BETWEEN_WORDS = /[\n\r\p{Z}\p{P}]+/u

/** The words of a search; a text that somebody pasted would hold the page for seconds. */
export function tokenize(text: string): string[] {
  return text.slice(0, MAX_CHARACTERS).split(BETWEEN_WORDS, MAX_WORDS)
}

/** Whether a term may be the beginning of a word: with one letter, as in “C#”, each would match. */
function isBeginning(term: string): boolean {
  return term.length > 1
}

const WEIGHTS: readonly [RegExp, number][] = [
  [/\/rules\//, 0.75],
  [/pix-primer|em-portugues/, 1],
  [/upgrading/, 0.7],
  [/guides\/client/, 1.2],
  [/\/guides\//, 1.5],
  [/\/operations\/|\/events\/|\/behaviour\//, 1.3],
  [/\/fields/, 1.25],
]

/** Prefers pages to their sections, and what a caller needs to what explains the contract. */
function boostDocument(id: string, _: string, stored: Record<string, unknown> = {}): number {
  const [, weight = 1] = WEIGHTS.find(([pattern]) => pattern.test(id)) ?? []
  const isPage = Array.isArray(stored.titles) && stored.titles.length === 0
  return isPage ? 1.5 * weight : weight
}

/** Words of questions, which are in every text. */
const STOP_WORDS = new Set(
  [
    'a an and are can do does for from how i if in instead is it long many may my of on or',
    'should the there to too what when where which while why with',
  ].flatMap((words) => words.split(' ')),
)

/** What readers say, and the words of the pages for it. */
const SYNONYMS: Readonly<Record<string, string>> = {
  balance: 'balances',
  boleto: 'due date charge',
  callback: 'webhook',
  change: 'rotate update',
  chargeback: 'refunds',
  customer: 'impersonate',
  docker: 'containers sandbox machine',
  double: 'once repeated',
  duplicate: 'once deduplicate',
  emv: 'code',
  estorno: 'refunds',
  expire: 'expires expiration renew',
  expired: 'expiration expires renew',
  expires: 'expiration',
  fail: 'failures',
  failed: 'failures',
  fake: 'simulate trigger cause',
  generate: 'encode',
  get: 'reading show',
  hmac: 'signature',
  idempotent: 'idempotency once',
  incoming: 'paid',
  invoice: 'due date charge',
  local: 'sandbox machine',
  locally: 'sandbox machine',
  login: 'sign signin',
  lookup: 'look',
  nextjs: 'next js',
  oauth: 'token',
  paginate: 'page cursor',
  pagination: 'page pages cursor',
  parse: 'decode',
  payload: 'event data',
  reembolso: 'refunds',
  refund: 'refunds',
  remove: 'delete',
  retries: 'retry attempts',
  retry: 'retries again',
  retrying: 'retry again',
  reusable: 'static',
  server: 'sandbox',
  stuck: 'unknown states outcome',
  timeout: 'response times outcome',
  twice: 'once repeated',
  valid: 'expiration lifetime',
  verify: 'verifies signature',
}

function processTerm(term: string): string | string[] | false {
  const word = term.toLowerCase()
  if (STOP_WORDS.has(word)) return false
  const synonyms = Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : undefined
  return synonyms ? [word, ...synonyms.split(' ')] : [word]
}
