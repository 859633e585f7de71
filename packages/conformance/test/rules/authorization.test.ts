import { accepts, alters, both, type Fault, isSuccess, mistakes, ok, problem, refuses } from './broken.ts'
import { type Case, type Cases, testCases } from './cases.ts'
import { CHARGES, found, NOT_ASSESSED, PASSED, WEBHOOKS } from './in-process.ts'

/** Deletes a record for any caller, but returns 404. */
function deletesAnyway(): Fault {
  const deletes = mistakes('deleteWebhook')
  return async (call, next, operation) => {
    const response = await deletes(call, next, operation)
    return operation === 'deleteWebhook' ? problem(404) : response
  }
}

const asStatus = (status: number): Fault =>
  alters('createWebhook', (it) => (it.status === 403 ? problem(status) : it))

const RULES: Cases = {
  'credentials-required': [
    { operations: ['checkKey', 'listUsers', 'signIn'] },
    ...(
      [
        ['an operation without credentials', 'failure', 'checkKey', (it) => it === ''],
        ['a sign-in without credentials', 'failure', 'signIn', (it) => it === ''],
        ['an unknown token', 'failure', 'checkKey', (it) => it === 'Bearer x'],
        ['unknown credentials', 'failure', 'signIn', (it) => it === 'Basic nonsense'],
        ['credentials in place of a token', 'deviation', 'checkKey', (it) => it.startsWith('Basic')],
        ['a token in place of credentials', 'failure', 'signIn', (it) => it.startsWith('Bearer')],
      ] satisfies [string, string, string, (authorization: string) => boolean][]
    ).map(
      ([words, kind, operation, isAccepted]): Case => [
        `finds ${words} that is accepted`,
        mistakes(operation, isAccepted),
        found(`${kind} credentials-required ${operation}`),
      ],
    ),
    [
      'finds another status than 401, once',
      alters('checkKey', (it) => (isSuccess(it) ? it : problem(403))),
      found('deviation credentials-required checkKey'),
    ],
  ],
  'foreign-link-refused': [
    { operations: ['getUser'] },
    ['finds a user of another partner', accepts('getUser'), found('failure foreign-link-refused getUser')],
    ['is not assessed if the other partner has no records', refuses('listUsers'), NOT_ASSESSED],
  ],
  'foreign-list-hidden': [
    { operations: ['listWebhooks'] },
    [
      'finds a list of the records of another partner and of a customer',
      mistakes('listWebhooks'),
      found('failure foreign-list-hidden listWebhooks', 'deviation foreign-list-hidden listWebhooks'),
    ],
    ['is not assessed if the list is refused', refuses('listWebhooks'), NOT_ASSESSED],
    ['ignores lists that the run excludes', mistakes('listUsers'), PASSED],
  ],
  'foreign-record-hidden': [
    { operations: [...WEBHOOKS, ...CHARGES] },
    ...['getWebhook', 'updateWebhook', 'rotateWebhookSecret', 'cancelImmediateQrCode'].map(
      (id): Case => [
        `finds ${id} by another partner`,
        mistakes(id),
        found(`failure foreign-record-hidden ${id}`),
      ],
    ),
    [
      'finds a deletion by another partner',
      mistakes('deleteWebhook'),
      found('failure foreign-record-hidden deleteWebhook', 'failure foreign-record-hidden getWebhook'),
    ],
    [
      'finds a change by another partner on a live service',
      mistakes('rotateWebhookSecret'),
      found('failure foreign-record-hidden rotateWebhookSecret'),
      { target: 'live', rate: 5_000 },
    ],
    [
      'reports a refusal that reveals the record as a deviation',
      alters('getWebhook', (it) => (isSuccess(it) ? it : problem(403))),
      found('deviation foreign-record-hidden getWebhook'),
    ],
    [
      'is not assessed if no record can be created',
      both(refuses('createWebhook'), refuses('createImmediateQrCode')),
      NOT_ASSESSED,
    ],
    [
      'ignores a read without a response',
      alters('getWebhook', (it) => (isSuccess(it) ? it : { ...it, status: 0 })),
      PASSED,
    ],
  ],
  'foreign-record-untouched': [
    { operations: [...WEBHOOKS, ...CHARGES] },
    ...['updateWebhook', 'rotateWebhookSecret', 'cancelImmediateQrCode'].map(
      (id): Case => [
        `finds ${id} by another partner`,
        mistakes(id),
        found(`failure foreign-record-untouched ${id}`),
      ],
    ),
    [
      'finds a deletion that is refused and done',
      deletesAnyway(),
      found('failure foreign-record-untouched deleteWebhook'),
    ],
  ],
  'impersonated-token-refused': [
    { operations: ['createWebhook', 'checkKey'] },
    [
      'finds an operation for partners that accepts a customer',
      mistakes('createWebhook'),
      found('deviation impersonated-token-refused createWebhook'),
    ],
    ['accepts a refusal with 401', asStatus(401), PASSED],
    [
      'reports another refusal as a deviation',
      asStatus(404),
      found('deviation impersonated-token-refused createWebhook'),
    ],
  ],
  'expired-token-refused': [
    { operations: ['listDueDateQrCodes', 'checkKey'] },
    [
      'finds a token that never expires',
      alters('listDueDateQrCodes', (it) => (it.status === 401 ? ok([]) : it)),
      found('deviation expired-token-refused listDueDateQrCodes'),
    ],
    ['is not assessed on a live service', undefined, NOT_ASSESSED, { target: 'live' }],
  ],
}

testCases(RULES)
