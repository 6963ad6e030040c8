<?php
function isSigned(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '0';
    if (abs(time() - (int) $timestamp) >= 300) {
        return false;
    }
    $key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!isSigned($body)) {
    http_response_code(400);
    return;
}
['type' => $type, 'data' => $data] = json_decode($body, true);
if ($type === 'certificate.emitted') {
    file_put_contents("{$data['p_code']}.pfx", base64_decode($data['certificate']));
}
http_response_code(204);
