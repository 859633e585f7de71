import { isAtOrInside } from '../contract/json.ts'
import { CODE_CREATIONS, requestName } from '../plans/valid-requests.ts'
import { findOperation, isRefusalStatus } from '../send/requests.ts'
import type { RefusedPart } from './refused-parts.ts'
import type { RefusedRequest } from './refused-requests.ts'
import type { Session } from './session.ts'
import { describeUnfound } from './unfound.ts'

/** What the advice depends on: what the user has given, and who sends and pays. */
type Run = Pick<Session, 'settings' | 'identities' | 'codePayers'>

/** Options that may help if something is the reason of a refusal. */
interface Hint {
  /** Such as `the key`. */
  readonly cause: string
  /** Such as `name a key of the partner with`. */
  readonly words: string
  /** Such as `createStaticQrCode/dict_key=KEY`. */
  readonly options: readonly string[]
}

/** The operations that create the codes that these requests pay. */
const CREATION_BY_PAYMENT: Readonly<Record<string, string>> = Object.fromEntries(
  CODE_CREATIONS.map((creation, example) => [requestName('createTransfer', example), creation]),
)

const KNOWN_KEY: Hint = {
  cause: 'the key',
  words: 'name a key that the service knows with',
  options: ['checkKey/dict_key=KEY'],
}

/** What helps if the service accepts no valid request of an operation for its values. */
const HINTS: Readonly<Record<string, Hint>> = {
  checkKey: KNOWN_KEY,
  createTransfer: KNOWN_KEY,
  createStaticQrCode: hintOfPartnerKey('createStaticQrCode'),
  createImmediateQrCode: hintOfPartnerKey('createImmediateQrCode'),
  createDueDateQrCode: hintOfPartnerKey('createDueDateQrCode'),
  createWebhook: {
    cause: 'the URL',
    words: 'name a URL that the service accepts with',
    options: ['createWebhook/url=URL'],
  },
  updateWebhook: {
    cause: 'the status',
    words: "name the service's word for inactive with",
    options: ['webhook/status/inactive=WORD'],
  },
  impersonate: {
    cause: 'the customer',
    words: 'name a customer with',
    options: ['impersonate/user_id=ID', 'impersonate/customer_id=ID'],
  },
  getUser: { cause: 'the user', words: 'name a user with', options: ['getUser/user_id=ID'] },
}

function hintOfPartnerKey(creation: string): Hint {
  return {
    cause: 'the key',
    words: 'name a key of the partner with',
    options: [`${creation}/dict_key=KEY`],
  }
}

/** The operations for which a service may take tokens of customers alone, with the name of their option. */
const OPTIONS_OF_TOKENS: Readonly<Record<string, string>> = {
  createTransfer: 'token/transfer=customer',
  createStaticQrCode: 'token/staticQrCode=customer',
  createImmediateQrCode: 'token/immediateQrCode=customer',
  createDueDateQrCode: 'token/dueDateQrCode=customer',
}

/**
 * Ends the sentence about a valid request that was not accepted: with its status, what its refusal names, and the
 * options that may help: ` (422): if the key is the reason, name a key that the service knows with --set
 * checkKey/dict_key=KEY`. It gives no reason that the refusal does not name, and no option that the user has set.
 */
export function describeAdvice(refused: RefusedRequest, run: Run): string {
  const unfound = describeUnfound(refused, run.settings)
  if (unfound !== undefined) return unfound

  const { request, refusal } = refused
  const [operation = ''] = request.split(' ', 1)
  if (!refusal) return describeMissing(operation, run)

  const { status, fields } = refusal
  const afterStatus = ` (${status})`
  // A failure, or a rate limit, says nothing about the request.
  if (!isRefusalStatus(status) || status === 429) return afterStatus
  if (fields.length > 0) return afterStatus + describeFields(operation, fields, run)

  const { isPayerReceiver } = run.codePayers
  const isOneself = CREATION_BY_PAYMENT[request] !== undefined && isPayerReceiver
  const whenOneself = isOneself
    ? ' where the payer is the receiver, and the run knows no other payer'
    : ''
  const hints = listHints(request, operation, { status, run })
  return afterStatus + whenOneself + describeHints(hints, run)
}

/** Which values a request lacks that could not be built; empty if another request was refused before it. */
function describeMissing(operation: string, run: Run): string {
  const hint = HINTS[operation]
  if (operation === 'createTransfer' || !hint || isGiven(hint.options, run)) return ''
  return `: ${hint.words} ${describeOptions(hint.options)}`
}

/** The values of a transfer that other requests issue, so that no option sets them. */
const ISSUED_FIELDS = ['/emv', '/initiation_id', '/beneficiary']

/** Describes the fields that a refusal names, and the options that set another value for them. */
function describeFields(operation: string, fields: readonly string[], run: Run): string {
  const hints = fields.flatMap((field) => findHintOfField(operation, field) ?? [])
  return describeNamed(fields, hints, run)
}

/** `: the refusal names /dict_key; name a key of the partner with --set …` */
function describeNamed(fields: readonly string[], hints: readonly Hint[], run: Run): string {
  const words = `: the refusal names ${fields.join(', ')}`
  const [hint, ...others] = hints.filter(({ options }) => !isGiven(options, run))
  if (!hint) return words
  const options = [hint, ...others].flatMap((each) => each.options)
  return `${words}; ${hint.words} ${describeOptions(options)}`
}

/** Finds what sets another value for a field; undefined if no option does. */
function findHintOfField(operation: string, field: string): Hint | undefined {
  const hintOfKey = field === '/dict_key' ? HINTS[operation] : undefined
  if (hintOfKey) return hintOfKey

  const isIssued =
    operation === 'createTransfer' && ISSUED_FIELDS.some((issued) => field.startsWith(issued))
  if (isIssued) return undefined
  return {
    cause: field,
    words: 'set a value that the service accepts with',
    options: [`${operation}${field}=VALUE`],
  }
}

/**
 * Ends the sentence about an optional part of requests that was not accepted, as `describeAdvice` does: ` (422): the
 * refusal names /amount/deduction/modality; set a value that the service accepts with --set …`.
 */
export function advisePart(part: RefusedPart, run: Run): string {
  const { status, fields } = part.refusal
  const hints = listHintsOfPart(part)
  const advice = fields.length > 0 ? describeNamed(fields, hints, run) : describeHints(hints, run)
  return ` (${status})${advice}`
}

/** The field of a part that a service may write with a word of its own. */
const FIELDS_WITH_WORDS: Readonly<Record<string, string>> = {
  '/amount/deduction': '/amount/deduction/modality',
}

/** Lists what may help with a part: with its fields that the refusal names or, if it names none, with the part. */
function listHintsOfPart({ operation, pointer, word, refusal }: RefusedPart): readonly Hint[] {
  if (word !== undefined) return [hintOfWord(word)]

  const namedFields = refusal.fields.filter((field) => isAtOrInside(field, pointer))
  const fields = namedFields.length > 0 ? namedFields : [pointer]
  return fields.flatMap(
    (field) => findHintOfField(operation, FIELDS_WITH_WORDS[field] ?? field) ?? [],
  )
}

function hintOfWord(type: string): Hint {
  return {
    cause: '/type',
    words: `name the service's word for ${type} with`,
    options: [`webhook/type/${type}=WORD`],
  }
}

/** Lists what may help where a refusal names no field. */
function listHints(
  request: string,
  operation: string,
  { status, run }: { readonly status: number; readonly run: Run },
): Hint[] {
  const hints: Hint[] = []
  const optionOfToken = OPTIONS_OF_TOKENS[operation]
  const mayBeToken = status === 401 || status === 403
  if (mayBeToken && optionOfToken !== undefined && isSentByPartner(operation, run))
    hints.push({
      cause: 'the token',
      words: 'let a customer send it with',
      options: [optionOfToken],
    })
  // No other value helps where nobody is authenticated.
  if (status === 401) return hints

  const creation = CREATION_BY_PAYMENT[request]
  if (creation !== undefined) return [...hints, ...listHintsOfPayer(creation)]
  const hint = HINTS[operation]
  return hint ? [...hints, hint] : hints
}

/** What lets somebody else than the receiver pay a code. Services refuse a payment to oneself. */
function listHintsOfPayer(creation: string): Hint[] {
  const cause = 'a payment to oneself'
  return [
    {
      cause,
      words: 'name a key of somebody else than the payer with',
      options: [`${creation}/dict_key=KEY`],
    },
    {
      cause,
      words: 'name another payer with',
      options: ['impersonate/user_id=ID', 'impersonate/customer_id=ID'],
    },
  ]
}

/** Whether the partner itself sends an operation, and no customer in its place. */
function isSentByPartner(id: string, { settings, identities }: Run): boolean {
  const operation = findOperation(settings.contract, id)
  return operation !== undefined && identities.chooseActor('partner', operation) === 'partner'
}

/** `: if the token is the reason, let … with --set …; if the key is the reason, name … with --set …` */
function describeHints(hints: readonly Hint[], run: Run): string {
  const useful = hints.filter(({ options }) => !isGiven(options, run))
  const clauses: string[] = []
  // Hints of one cause are alternatives: `if the payer is the reason, name … or name …`.
  for (const [cause, hintsOfCause] of Map.groupBy(useful, (hint) => hint.cause)) {
    const advice = hintsOfCause.map(({ words, options }) => `${words} ${describeOptions(options)}`)
    clauses.push(`if ${cause} is the reason, ${advice.join(', or ')}`)
  }
  return clauses.length === 0 ? '' : `: ${clauses.join('; ')}`
}

function describeOptions(options: readonly string[]): string {
  return options.map((option) => `--set ${option}`).join(' ')
}

/** Whether the user has set all of these options: `checkKey/dict_key=KEY` by `{ checkKey: { '/dict_key': '…' } }`. */
function isGiven(options: readonly string[], { settings }: Run): boolean {
  const { values = {} } = settings.options
  return options.every((option) => {
    const [name = ''] = option.split('=', 1)
    const slash = name.indexOf('/')
    return values[name.slice(0, slash)]?.[name.slice(slash)] !== undefined
  })
}
