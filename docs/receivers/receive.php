<?php
// Verifies and prints each delivery, with PHP alone: php -S 127.0.0.1:3000 receive.php
// WEBHOOK_SECRETS: one or two secrets, with a space between them.

function readSecrets(): array
{
    $secrets = [];
    foreach (preg_split('/ /', getenv('WEBHOOK_SECRETS') ?: '', -1, PREG_SPLIT_NO_EMPTY) as $text) {
        $secrets[] = (string) base64_decode(preg_replace('/^whsec_/', '', $text), true);
    }
    // With an empty secret, everybody could sign.
    if (!$secrets || min(array_map('strlen', $secrets)) < 24) {
        throw new RuntimeException('WEBHOOK_SECRETS needs whole secrets. `listen --show-secret` prints one.');
    }
    return $secrets;
}

function isGenuine(string $body, array $secrets): bool
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }

    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$timestamp.$body";
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    foreach ($secrets as $secret) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
        foreach ($signatures as $given) {
            if (hash_equals($expected, $given)) {
                return true;
            }
        }
    }
    return false;
}

// Without this, PHP can respond with 200 to a request in which it failed.
http_response_code(500);
$secrets = readSecrets();
// One byte more than the limit, so that a longer body does not match.
$body = file_get_contents('php://input', length: 131_073);
if (strlen($body) > 131_072 || !isGenuine($body, $secrets)) {
    http_response_code(400);
    return;
}
// Store the event under its webhook-id, and work on it after the response.
error_log(json_decode($body)->type);
http_response_code(204);
