export { type Answer, type Answered, type AnswerOptions, answer, copySpec } from './answer.ts'
export { type Evidence, EvidenceError, readEvidence } from './evidence.ts'
