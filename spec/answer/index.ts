export {
  type Answer,
  type Answered,
  type AnswerOptions,
  answer,
  copySpec,
  renameInText,
} from './answer.ts'
export { type Evidence, EvidenceError, readEvidence } from './evidence.ts'
