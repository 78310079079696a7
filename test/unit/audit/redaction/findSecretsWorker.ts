import { workerData } from 'node:worker_threads';
import { findSecrets } from '../../../../src/audit/redaction/findSecrets.ts';
import { noKnownSecrets } from '../../../../src/audit/redaction/knownSecrets.ts';

// Looks for secrets in the text that the test hands over, and ends.
findSecrets(String(workerData), noKnownSecrets, true);
