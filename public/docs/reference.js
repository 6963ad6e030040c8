SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#reference",
	deepLinking: true,
	docExpansion: "list",
	persistAuthorization: false,
	validatorUrl: null,
});
