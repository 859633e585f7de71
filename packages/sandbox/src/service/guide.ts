import type { OperationId } from '../contract.ts'

/** Maps a short path of the guide to an operation of the contract. */
export interface ShortPath {
  readonly id: OperationId
  /** Converts the request body to that of the full path. */
  readonly toBody?: (body: object) => object
  /** Reduces the response body to what the short path returns. */
  readonly toResponse?: (body: Body) => object
}

type Body = Record<string, unknown>

/** The short paths, by the operationIds of the guide's own contract. */
export const SHORT_PATHS: Readonly<Record<string, ShortPath>> = {
  guideCreateWebhook: {
    id: 'createWebhook',
    toBody: (body) => ({ ...body, type: 'all' }),
    toResponse: ({ id, secret }) => ({ id, secret }),
  },
  guideListWebhooks: {
    id: 'listWebhooks',
    toResponse: ({ data }) => ({ data: (data as Body[]).map(({ type: _, ...webhook }) => webhook) }),
  },
  guideCheckCode: { id: 'checkCode' },
  guideCreateTransfer: { id: 'createTransfer' },
  guideCheckKey: { id: 'checkKey' },
}
