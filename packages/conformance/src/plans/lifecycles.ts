import { fieldsOf, type Json, stringAt } from '../contract/json.ts'
import type { Plan, PlanContext } from './plan.ts'
import { validBody, validRequest } from './valid.ts'

export const KINDS = ['ImmediateQrCode', 'DueDateQrCode'] as const
type CodeKind = (typeof KINDS)[number]

/** Records from their creation to their end, with a look after each step. */
export const lifecycles: Plan = {
  id: 'lifecycles',
  says: 'Creates records, changes and ends them, tries them after their end, and looks at them after each step.',
  wants: [
    'records-shown',
    'records-kept',
    'records-dated',
    'records-there',
    'records-named',
    'records-refused',
    'records-gone',
    'records-states',
    'once-issued',
    'once-refused',
  ],
  async run(context) {
    if (isAnyChosen(context, 'Webhook')) await liveWebhooks(context)
    for (const kind of KINDS) if (isAnyChosen(context, kind)) await liveCodes(context, kind)
    if (isAnyChosen(context, 'StaticQrCode')) await createStatics(context)
    if (['checkKey', 'createTransfer'].some(context.isChosen)) await payKeys(context)
    if (isAnyChosen(context, 'User')) await readUsers(context)
  },
}

/** Whether an operation on some records is checked. */
export function isAnyChosen({ contract, isChosen }: PlanContext, name: string): boolean {
  return contract.operations.some(({ id }) => id.includes(name) && isChosen(id))
}

/** An id that no record has. */
const OTHER_ID = '7b1f6a52-93c4-4e0d-8a57-0d1c6f2be943'

/** The same id with another last digit. */
function almost(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')
}

async function liveWebhooks(context: PlanContext): Promise<void> {
  const { send } = context
  const plain = validBody(context, 'createWebhook')
  const varied = { ...plain, type: 'transfer', url: variedUrl(plain) }
  const ids: string[] = []
  // Two have the same URL, so that nothing may go by it.
  const slashed = { ...plain, type: 'all', url: new URL('/pix/', String(plain.url)).href }
  for (const body of [{ ...plain, type: 'all' }, varied, { ...plain, type: 'qrcode' }, slashed]) {
    const webhook_id = stringAt((await send('createWebhook', { body })).json, '/id')
    if (webhook_id === undefined) return
    ids.push(webhook_id)
    await send('getWebhook', { path: { webhook_id } })
    await send('listWebhooks')
  }
  const [first = '', second = ''] = ids
  await changeWebhook(context, { ids, body: { ...plain, type: 'all' } })
  await refuseWebhooks(context, { webhook_id: first, body: plain })
  await send('rotateWebhookSecret', { path: { webhook_id: second } })
  for (const webhook_id of [OTHER_ID, almost(second)]) await tryWebhook(context, webhook_id, plain)
  await lookAtWebhooks(context, ids)
  await context.lookAgain()
  await send('deleteWebhook', { path: { webhook_id: first } })
  await lookAtWebhooks(context, ids)
  await tryWebhook(context, first, plain)
  await lookAtWebhooks(context, ids)
  await context.lookAgain()
}

/** Another URL of the same host, whose parts a service must keep. */
function variedUrl(body: Json): string {
  const url = new URL(String(body.url))
  return new URL('/Pix/Events?shop=Loja%20A&from=B', url).href
}

async function lookAtWebhooks({ send }: PlanContext, ids: readonly string[]): Promise<void> {
  for (const webhook_id of ids) await send('getWebhook', { path: { webhook_id } })
  await send('listWebhooks')
}

interface Changed {
  readonly ids: readonly string[]
  readonly body: Json
}

/** Each field alone, and all to what they are. */
async function changeWebhook(context: PlanContext, { ids, body }: Changed): Promise<void> {
  const { send } = context
  const path = { webhook_id: ids[0] ?? '' }
  let fields: Json = { status: 'active', ...body }
  const changes = [
    { type: 'qrcode' },
    { type: 'transfer' },
    { status: 'inactive' },
    { url: variedUrl(body) },
    {},
    { status: 'active' },
    { type: 'all' },
  ]
  for (const [i, change] of changes.entries()) {
    fields = { ...fields, ...change }
    await send('updateWebhook', { path, body: fields })
    await send('getWebhook', { path })
    if (i === 0 || i === 3) await lookAtWebhooks(context, ids)
    // The secret of an inactive webhook is rotated too, and leaves it inactive.
    if (i === 3) await send('rotateWebhookSecret', { path })
    if (i === 3) await lookAtWebhooks(context, ids)
  }
}

interface Refused {
  readonly webhook_id: string
  readonly body: Json
}

/** Creations and updates that are refused, each followed by a look. */
async function refuseWebhooks(context: PlanContext, { webhook_id, body }: Refused): Promise<void> {
  const { send } = context
  const path = { webhook_id }
  const invalid = [
    { ...body, url: String(body.url).replace('https:', 'http:') },
    { ...body, url: 'https://10.0.0.1/pix' },
    { ...body, type: 'none' },
  ]
  for (const it of invalid) {
    await send('updateWebhook', { path, body: { status: 'inactive', ...it } })
    await send('getWebhook', { path })
    await send('createWebhook', { body: it })
    await send('listWebhooks')
  }
}

/** Each operation that names a webhook. */
async function tryWebhook({ send }: PlanContext, webhook_id: string, body: Json): Promise<void> {
  const path = { webhook_id }
  await send('getWebhook', { path })
  await send('updateWebhook', { path, body: { ...body, status: 'active' } })
  await send('rotateWebhookSecret', { path })
  await send('deleteWebhook', { path })
}

async function liveCodes(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, lookAgain } = context
  const ids: string[] = []
  const codes: string[] = []
  for (const body of codeBodies(context, kind)) {
    const { json } = await send(`create${kind}`, { body })
    ids.push(stringAt(json, '/id') ?? '')
    codes.push(stringAt(json, '/emv') ?? '')
    await send(`list${kind}s`)
  }
  const [cancelled = '', paid = ''] = ids
  await lookAgain()
  await refuseCode(context, kind)
  for (let i = 0; i < 2; i++) {
    await send(`cancel${kind}`, { path: { id: cancelled } })
    await send(`list${kind}s`)
  }
  await payCode(context, codes[0] ?? '', '1.00')
  await payCode(context, codes[1] ?? '')
  await send(`list${kind}s`)
  await payCode(context, codes[1] ?? '')
  if (context.clock.isControlled) await context.clock.advance(SETTLED)
  await send(`list${kind}s`)
  // A QR code of the other kind, which an operation on this kind does not know.
  const other = await validRequest(context, `cancel${KINDS.find((it) => it !== kind)}`)
  const foreign = other?.path?.id ?? 'no-id'
  for (const id of [paid, foreign, OTHER_ID, almost(cancelled)]) await send(`cancel${kind}`, { path: { id } })
  for (const it of KINDS) await send(`list${it}s`)
  await lookAgain()
}

/** Seconds within which the sandbox settles a payment. */
const SETTLED = 30

/** An example, one with as few fields as possible, and one with texts that are easily changed. */
function codeBodies(context: PlanContext, kind: CodeKind): Json[] {
  const body = () => validBody(context, `create${kind}`)
  const { dict_key, tx_id, amount, calendar } = body()
  const due_date = fieldsOf(calendar).due_date
  const bare = {
    dict_key,
    tx_id,
    amount: { original: fieldsOf(amount).original },
    calendar: due_date === undefined ? {} : { due_date },
  }
  const additional_infos = [
    { name: 'Zona', value: `${'Ç'.repeat(100)}${'2'.repeat(100)}` },
    { name: 'Andar', value: '1' },
  ]
  const payer = {
    ...fieldsOf(body().payer),
    name: `Jos\u00e9 e Jose\u0301 d'\u00c1vila`,
    tax_id: '52998224725',
  }
  return [
    { ...body(), message: ` ${textOf(10)} ` },
    bare,
    {
      ...body(),
      amount: { ...fieldsOf(amount), original: '123.45' },
      message: textOf(140),
      additional_infos,
      payer,
    },
  ]
}

/** A text of some characters: accents in both forms, a symbol outside the first plane, and markup. */
function textOf(length: number): string {
  const text = 'Caf\u00e9 & Cafe\u0301 <b>"1"</b> \u{1F600} '
  const rest = length - [...text].length - 1
  return rest < 0 ? 'Caf\u00e9 & Cafe\u0301 "1"' : text + 'a'.repeat(rest - 1)
}

/** A refused creation uses no tx_id, and an accepted one does: for both kinds, and after its end. */
async function refuseCode(context: PlanContext, kind: CodeKind): Promise<void> {
  const { send, has } = context
  const body = validBody(context, `create${kind}`)
  const other = KINDS.find((it) => it !== kind) ?? kind
  const again = { ...validBody(context, `create${other}`), tx_id: body.tx_id }
  await send(`create${kind}`, { body: { ...body, amount: { original: '0.00' } } })
  await send(`list${kind}s`)
  const id = stringAt((await send(`create${kind}`, { body })).json, '/id')
  await send(`create${kind}`, { body })
  await send(`create${other}`, { body: again })
  await send(`create${kind}`, { body: { ...body, tx_id: String(body.tx_id).toLowerCase() } })
  if (has('other')) await send(`create${kind}`, { body, by: 'other' })
  await send(`list${kind}s`)
  await send(`cancel${kind}`, { path: { id: id ?? '' } })
  await send(`create${kind}`, { body })
  await send(`create${other}`, { body: again })
}

/** Checks and pays a code, after a payment of another amount that is refused. */
async function payCode({ send }: PlanContext, emv: string, known?: string): Promise<void> {
  const by = 'customer'
  const check = await send('checkCode', { body: { emv }, by })
  const amount = stringAt(check.json, '/final_amount') ?? known
  if (amount === undefined) return
  const body = { type: 'emv', emv, amount }
  await send('createTransfer', { body: { ...body, amount: '0.00' }, by })
  await send('createTransfer', { body, by })
}

async function createStatics(context: PlanContext): Promise<void> {
  const { send } = context
  const plain = validBody(context, 'createStaticQrCode')
  const { message: _, ...bare } = plain
  for (const body of [plain, bare, { ...plain, message: textOf(10) }, { ...plain, amount: '4.35' }]) {
    const emv = stringAt((await send('createStaticQrCode', { body })).json, '/emv')
    await send('checkCode', { body: { emv }, by: 'customer' })
  }
}

/** Payments to keys: with texts and amounts that are easily changed, and after refused ones. */
async function payKeys(context: PlanContext): Promise<void> {
  const { send } = context
  // The key of the partner is of another type than the examples.
  await send('checkKey', { body: { dict_key: validBody(context, 'createStaticQrCode').dict_key } })
  const details = [
    { amount: '4.35', description: textOf(140) },
    { amount: '0.29', description: "Almo\u00e7o d'\u00c1vila" },
  ]
  for (const [i, it] of details.entries()) {
    const input = await validRequest(context, 'createTransfer', { example: KEYS + i })
    for (const amount of input ? ['9999999999.99', '0.00', it.amount] : [])
      await send('createTransfer', { ...input, body: { ...fieldsOf(input?.body), ...it, amount } })
  }
}

/** The first example of a transfer to a key. */
const KEYS = 3

/** The first users, and again. */
async function readUsers({ send }: PlanContext): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const { json } = await send('listUsers')
    for (const at of ['/users/0/id', '/users/1/id']) {
      const user_id = stringAt(json, at)
      if (user_id !== undefined) await send('getUser', { path: { user_id } })
    }
  }
  await send('getUser', { path: { user_id: OTHER_ID } })
}
