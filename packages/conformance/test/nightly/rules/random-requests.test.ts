import { accepts, alters, type Body, bodyOf, isSuccess, problem } from '../../rules/broken.ts'
import { testCases } from '../../rules/cases.ts'
import { found, NOT_ASSESSED, PASSED } from '../../rules/in-process.ts'

testCases({
  'random-requests': [
    { operations: ['createWebhook'], timeMs: 3_000 },
    [
      'reports an accepted request that breaks an assumption as a deviation',
      // Types are facts, and an array of one URL would be parsed as that URL.
      accepts(
        'createWebhook',
        ({ type, url }: Body) => typeof type === 'string' && typeof url === 'string' && URL.canParse(url),
      ),
      found('deviation random-requests createWebhook'),
    ],
    [
      'finds a valid request that is refused as invalid',
      alters('createWebhook', (it, call) =>
        bodyOf(call).type === 'qrcode' ? problem(400, 'invalid_request') : it,
      ),
      found('deviation random-requests createWebhook'),
    ],
    [
      'is not assessed if the service always fails',
      alters('createWebhook', () => problem(500)),
      NOT_ASSESSED,
    ],
    [
      'is not assessed if the service fails on valid requests',
      alters('createWebhook', (it) => (isSuccess(it) ? problem(500) : it)),
      NOT_ASSESSED,
    ],
    [
      'ignores invalid requests on which the service fails',
      alters('createWebhook', (it) => (isSuccess(it) ? it : problem(500))),
      PASSED,
    ],
  ],
})
