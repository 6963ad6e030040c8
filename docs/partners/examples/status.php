<?php
$context = stream_context_create(['http' => [
    'header' => ['x-gw: ' . getenv('KEY')],
    'ignore_errors' => true,
]]);
$query = http_build_query(['p_code' => $argv[1]]);
$answer = json_decode(file_get_contents(getenv('URL') . "/api/partners/v1/status?$query", false, $context), true);
if (!$answer['success']) {
    throw new RuntimeException($answer['error']);
}
echo $answer['data']['status'], "\n";
