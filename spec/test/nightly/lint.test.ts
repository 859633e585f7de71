import { breaks, testBreaks } from '../broken-contracts.ts'

testBreaks(breaks)
