import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate for `localhost` that vouches for itself, and its key, both PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

const TAG = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
};
const COMMON_NAME = [0x55, 0x04, 0x03];
const SUBJECT_ALT_NAME = [0x55, 0x1d, 0x11];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const DNS_NAME = 0x82;
const CONTEXT_0 = 0xa0;
const CONTEXT_3 = 0xa3;

/** The fields of RFC 5280 §4.1, in their order; Node.js can read certificates, but makes none. */
export function selfSignedCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(TAG.sequence, der(TAG.oid, ECDSA_WITH_SHA256));
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, der(TAG.oid, COMMON_NAME), der(TAG.utf8, Buffer.from('localhost')))),
  );
  const names = der(TAG.sequence, der(DNS_NAME, Buffer.from('localhost')));
  const certified = der(
    TAG.sequence,
    der(CONTEXT_0, der(TAG.integer, [2])),
    der(TAG.integer, [1, ...randomBytes(8)]),
    algorithm,
    name,
    der(
      TAG.sequence,
      der(TAG.time, Buffer.from('20200101000000Z')),
      der(TAG.time, Buffer.from('99991231235959Z')),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      CONTEXT_3,
      der(TAG.sequence, der(TAG.sequence, der(TAG.oid, SUBJECT_ALT_NAME), der(TAG.octets, names))),
    ),
  );
  const signature = der(TAG.bits, [0], sign('sha256', certified, privateKey));
  const cert = der(TAG.sequence, certified, algorithm, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${cert.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}

/** Tag, length, content (X.690 §8.1, §10.1). */
function der(tag: number, ...content: (Uint8Array | number[])[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
