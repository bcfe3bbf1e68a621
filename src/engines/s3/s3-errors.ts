import { S3ServiceException } from '@aws-sdk/client-s3';
import { ConfigurationError, EngineUnavailableError } from '../../domain/errors.ts';

const ENGINE = 'The image storage';
const HTTP_NOT_FOUND = 404;
const HTTP_MOVED = 301;
const HTTP_FORBIDDEN = 403;

/** There is no such object. The answer to a HEAD has no body, so its name says less. */
export function isMissingObject(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === HTTP_NOT_FOUND &&
    error.name !== 'NoSuchBucket'
  );
}

/**
 * Tells what the operator has to mend (ConfigurationError) and a storage that cannot answer now (EngineUnavailableError)
 * from everything else, which is handed back as it came. Messages repeat no key and no signature.
 */
export function translateS3Error(error: unknown, bucket: string): unknown {
  const fault = operatorsFault(error, bucket);
  if (fault !== undefined) return new ConfigurationError(fault, { cause: error });
  return isPassing(error) ? new EngineUnavailableError(ENGINE, { cause: error }) : error;
}

/** No connection, no answer in time, too many requests, or a fault of the server. */
function isPassing(error: unknown): boolean {
  if (error instanceof S3ServiceException) {
    return error.$fault === 'server' || error.$retryable !== undefined || error.name === 'SlowDown';
  }
  return error instanceof Error && (error.name === 'TimeoutError' || 'code' in error);
}

function operatorsFault(error: unknown, bucket: string): string | undefined {
  if (error instanceof Error && error.name === 'CredentialsProviderError') {
    return 'S3_BUCKET is set, but there are no credentials for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or any other of the places where the AWS tools look for them.';
  }
  if (error instanceof Error && error.message === 'Region is missing') {
    return 'S3_BUCKET is set, but not where it is: set S3_REGION, or S3_ENDPOINT for another server than AWS.';
  }
  if (!(error instanceof S3ServiceException)) return undefined;
  const status = error.$metadata.httpStatusCode;
  if (error.name === 'NoSuchBucket') {
    return `S3_BUCKET: there is no bucket "${bucket}" at this endpoint; create it, or set S3_ENDPOINT.`;
  }
  if (status === HTTP_MOVED || error.name === 'AuthorizationHeaderMalformed') {
    return `S3_REGION: the bucket "${bucket}" is in another region.`;
  }
  if (error.name === 'RequestTimeTooSkewed') {
    return 'The image storage refuses because the clock of this machine is wrong.';
  }
  if (status === HTTP_FORBIDDEN) {
    return `S3_BUCKET: access to "${bucket}" is refused (${error.name}); the credentials need s3:ListBucket, s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload.`;
  }
  return undefined;
}
