import type { OperationId } from '../contract.ts'

/** How an operation of a short path of the guide is one of the contract. */
export interface ShortPath {
  readonly id: OperationId
  /** The body that the full path would have. */
  readonly toBody?: (body: object) => object
  /** What the short path shows of the answer. */
  readonly toAnswer?: (answer: Answer) => object
}

type Answer = Record<string, unknown>

/** The short paths by the operationIds of the guide's own contract. */
export const SHORT_PATHS: Readonly<Record<string, ShortPath>> = {
  guideCreateWebhook: {
    id: 'createWebhook',
    toBody: (body) => ({ ...body, type: 'all' }),
    toAnswer: ({ id, secret }) => ({ id, secret }),
  },
  guideListWebhooks: {
    id: 'listWebhooks',
    toAnswer: ({ data }) => ({ data: (data as Answer[]).map(({ type: _, ...webhook }) => webhook) }),
  },
  guideCheckCode: { id: 'checkCode' },
  guideCreateTransfer: { id: 'createTransfer' },
  guideCheckKey: { id: 'checkKey' },
}
