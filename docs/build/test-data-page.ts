import { testData } from '@partner-payments/sandbox/test-data'
import type { Behaviour } from '@partner-payments/spec/behaviour'
import { eventLinks, outcomeOfTransfer } from './behaviour-pages.ts'
import { type Contract, operationsOf } from './contract.ts'
import { requestExamples } from './samples.ts'
import { codeBlock, paragraphs, table } from './text.ts'

/** The test data of the sandbox: what a new one has, and what makes it refuse, reject or fail. */
export function testDataPage(contract: Contract, behaviour: Behaviour) {
  const title = 'Test data'
  const summary =
    'Credentials, keys and codes that the sandbox knows, and the values that force a rejection, a refusal or a fault.'
  return {
    path: 'guides/test-data.md',
    title,
    summary,
    section: 'guides',
    text: paragraphs(
      `# ${title}`,
      summary,
      'All of it exists only in [the sandbox](sandbox.md). `POST /_sandbox/reset` brings it back.',
      credentialsSection(),
      customersSection(),
      accountsSection(),
      keysSection(),
      codesSection(contract, behaviour),
      rejectionsSection(behaviour),
      lookUpsSection(),
      faultsSection(),
      CLOCK,
    ),
  }
}

/** The section of the credentials. */
function credentialsSection(): string {
  const rows = testData().partners.map((partner) => [
    code(partner.client_key),
    code(partner.client_secret),
    code(partner.id),
  ])
  return paragraphs(
    table('## Credentials', ['Client key', 'Client secret', 'Partner'], rows),
    'There are two partners, so that you can test that one does not see what the other has.',
  )
}

/** The section of users and their customers. */
function customersSection(): string {
  const rows = testData().users.map(({ username, id, customer }) => [
    code(username),
    code(id),
    code(customer.id),
  ])
  return paragraphs(
    table('## Users and customers', ['User', '`user_id`', '`customer_id`'], rows),
    'The first belongs to the first partner, the second to the second. {{operation:impersonate}} takes both ids.',
  )
}

/** The section of accounts and their balances. */
function accountsSection(): string {
  const rows = testData().accounts.map((account) => [
    account.name,
    code(account.tax_id),
    code(account.number),
    account.balance,
  ])
  return paragraphs(
    table('## Accounts', ['Owner', 'CPF or CNPJ', 'Account', 'Balance in reais'], rows),
    'The page of the sandbox shows each balance and adds money. To see a refusal, send more than the balance: it is refused with {{error:insufficient_funds}}. {{assumption:insufficient-funds}}',
  )
}

/** The section of keys. */
function keysSection(): string {
  const rows = testData().keys.map(({ dict_key, kind, name, standing }) => [
    code(dict_key),
    kind,
    name,
    standing === 'own' ? 'in this sandbox' : 'at another institution',
  ])
  return paragraphs(
    table('## Keys that can be paid', ['Key', 'Kind', 'Owner', 'Account'], rows),
    'Add more on the page of the sandbox, or with `POST /_sandbox/keys`. {{operation:createTransfer}} pays a key, and the payment settles.',
  )
}

/** The section of codes that can be paid: those of the examples of the contract. */
function codesSection(contract: Contract, behaviour: Behaviour): string {
  const check = operationsOf(contract, behaviour).find(({ id }) => id === 'checkCode')
  if (!check) throw new Error('the contract has no operation checkCode')
  const parts = requestExamples(check).map(({ summary, value }) => {
    const { emv } = value as { emv: string }
    return paragraphs(`**${summary}**`, codeBlock(emv))
  })
  return paragraphs('## Codes that can be paid', parts)
}

/** The section of transfers that are accepted first and rejected later. */
function rejectionsSection(behaviour: Behaviour): string {
  const { events = [] } = outcomeOfTransfer(behaviour, 'reject') ?? {}
  const { amounts, keys } = testData().rejections
  const rows = amounts.map(({ amount, code: reason, rejection_message }, index) => [
    code(amount),
    code(keys[index]?.dict_key ?? ''),
    code(reason),
    rejection_message,
  ])
  return paragraphs(
    '## Amounts and keys that are rejected',
    `The transfer is accepted with \`201\`. Then it becomes \`rejected\`, and ${eventLinks(events)} follows. {{assumption:transfer-statuses}}`,
    table('', ['This amount to any key', 'Any amount to this key', 'Code', 'Message'], rows),
  )
}

/** The section of keys whose look-up fails. */
function lookUpsSection(): string {
  const rows = testData().lookUps.map(({ dict_key, status, code: reason }) => [
    code(dict_key),
    code(String(status)),
    `{{error:${reason}}}`,
  ])
  return paragraphs(
    '## Look-ups that fail',
    table('', ['Key', 'Status', 'Code'], rows),
    'The second one asks you to wait for a second, whenever you ask. {{assumption:rate-limits}}',
  )
}

/** The section of the header that makes one request fail. */
function faultsSection(): string {
  const rows = testData().faultHeaders.map((form) => [code(`x-sandbox-fault: ${form}`)])
  return paragraphs(
    '## Faults',
    'This header makes one request fail. [The sandbox](sandbox.md#let-a-request-fail) says what each value does, and how a rule does the same without a header.',
    table('', ['Header'], rows),
  )
}

const CLOCK = `## Clock

\`POST /_sandbox/clock\` moves the clock, so that a code expires or a delivery is sent again at once:

${codeBlock(
  `curl http://127.0.0.1:4020/_sandbox/clock \\
  --header 'content-type: application/json' \\
  --data '{ "advance_seconds": 86400 }'`,
  'sh',
)}

\`{ "reset": true }\` returns to the time of your machine, and \`{ "freeze": true }\` stops the clock.`

function code(text: string): string {
  return `\`${text}\``
}
